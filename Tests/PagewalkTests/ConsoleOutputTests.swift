import Foundation
import Testing

@testable import pagewalk

@Suite("Writing to standard output")
@MainActor
struct ConsoleOutputTests {
  private let bytes = Data(repeating: UInt8(ascii: "x"), count: 300_000)

  /// A pipe that can be read, as after an interrupt.
  private func interruption() throws -> Pipe {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data([0]))
    return pipe
  }

  @Test("A reader that takes nothing is not waited for after an interrupt")
  func blocked() throws {
    let (output, interruption) = (Pipe(), try interruption())
    let failure = Console.Output.write(
      bytes, to: output.fileHandleForWriting.fileDescriptor,
      until: interruption.fileHandleForReading.fileDescriptor)
    #expect(failure == ECANCELED)
    try output.fileHandleForWriting.close()
    // What the pipe has taken is a part of it.
    let taken = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(!taken.isEmpty && bytes.starts(with: taken))
  }

  @Test("What can be written is written whole, also after an interrupt")
  func whole() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    #expect(FileManager.default.createFile(atPath: url.path(), contents: nil))
    defer { try? FileManager.default.removeItem(at: url) }
    let (file, interruption) = (try FileHandle(forWritingTo: url), try interruption())
    for descriptor in [-1, interruption.fileHandleForReading.fileDescriptor] {
      let failure = Console.Output.write(bytes, to: file.fileDescriptor, until: descriptor)
      #expect(failure == nil)
    }
    #expect(try Data(contentsOf: url) == bytes + bytes)
  }
}
