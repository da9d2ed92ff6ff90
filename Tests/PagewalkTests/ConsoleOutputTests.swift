import Foundation
import Testing

@testable import pagewalk

@Suite("Writing to standard output")
@MainActor
struct ConsoleOutputTests {
  private let bytes = Data(repeating: UInt8(ascii: "x"), count: 300_000)

  /// A pipe that can be read, as some time after an interrupt.
  private func deadline() throws -> Pipe {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data([0]))
    return pipe
  }

  @Test("A reader that takes nothing is not waited for after the deadline")
  func blocked() throws {
    let (output, deadline) = (Pipe(), try deadline())
    let written = Console.Output.write(
      bytes, to: output.fileHandleForWriting.fileDescriptor,
      until: deadline.fileHandleForReading.fileDescriptor)
    #expect(written.failure == ECANCELED)
    try output.fileHandleForWriting.close()
    // What the pipe has taken is a part of it.
    let taken = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(!taken.isEmpty && bytes.starts(with: taken))
    #expect(taken.count == written.count)
  }

  @Test("No line is cut at the deadline that a pipe takes at once", arguments: [1, 100, 400])
  func wholeLines(byteCount: Int) throws {
    let (output, deadline) = (Pipe(), try deadline())
    let line = String(repeating: "x", count: byteCount) + "\n"
    let lines = Data(String(repeating: line, count: 300_000 / byteCount).utf8)
    let written = Console.Output.write(
      lines, to: output.fileHandleForWriting.fileDescriptor,
      until: deadline.fileHandleForReading.fileDescriptor)
    #expect(written.failure == ECANCELED)
    try output.fileHandleForWriting.close()
    let taken = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(taken.last == UInt8(ascii: "\n") && taken.count == written.count)
  }

  @Test("A pipe has no reader once that is closed, and a file needs none")
  func readers() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(Console.Output.hasReader(of: descriptor))
    try pipe.fileHandleForReading.close()
    #expect(!Console.Output.hasReader(of: descriptor))
    let null = try #require(FileHandle(forWritingAtPath: "/dev/null"))
    #expect(Console.Output.hasReader(of: null.fileDescriptor))
  }

  @Test("What can be written is written whole, also after the deadline")
  func whole() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    #expect(FileManager.default.createFile(atPath: url.path(), contents: nil))
    defer { try? FileManager.default.removeItem(at: url) }
    let (file, deadline) = (try FileHandle(forWritingTo: url), try deadline())
    for descriptor in [-1, deadline.fileHandleForReading.fileDescriptor] {
      let written = Console.Output.write(bytes, to: file.fileDescriptor, until: descriptor)
      #expect(written.failure == nil && written.count == bytes.count)
    }
    #expect(try Data(contentsOf: url) == bytes + bytes)
  }
}
