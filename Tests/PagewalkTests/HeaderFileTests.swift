import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Headers and bodies from a file")
struct HeaderFileTests {
  private func options(_ content: [String: String], _ arguments: String...) throws -> Options {
    let files = Files { path in
      guard let text = content[path] else { throw CocoaError(.fileReadNoSuchFile) }
      return Data(text.utf8)
    }
    guard case .walk(_, let options) = try Command(parsing: [address] + arguments, files: files)
    else { throw UsageError("a walk was meant") }
    return options
  }

  private func error(_ content: [String: String], _ arguments: String...) -> String {
    let files = Files { path in
      guard let text = content[path] else { throw CocoaError(.fileReadNoSuchFile) }
      return path == "latin" ? Data([0xE9]) : Data(text.utf8)
    }
    let error = #expect(throws: UsageError.self) {
      try Command(parsing: [address] + arguments, files: files)
    }
    return error?.description ?? ""
  }

  @Test("Each line is a header, with any line ends, and blank lines are skipped")
  func lines() throws {
    let file = ["a b": "X: 1\r\n\r\n  \nAuthorization: Bearer c\nX:2"]
    let headers = try options(file, "--header", "@a b", "-H", "Y: 3").headers
    #expect(headers.values(for: "X") == ["1", "2"])
    #expect(headers["Authorization"] == "Bearer c" && headers["Y"] == "3")
  }

  @Test("A hyphen is standard input")
  func standardInput() throws {
    #expect(try options(["-": "X: 1\n"], "--header=@-").headers["X"] == "1")
    #expect(try options(["-": "X: 1\n"], "-H@-").headers["X"] == "1")
  }

  @Test(
    "Errors name the file and the line, never the content",
    arguments: [
      ("X: 1\nhidden", "line 2 of the file 'f'"), ("X: 1\n\nhid den: 2", "line 3 of the file 'f'"),
      ("X: hid\u{1}den", "line 1 of the file 'f'"), ("Host: hidden", "line 1 of the file 'f'"),
      ("", "no 'Name: value' line in the file 'f'"), (" \n\n", "no 'Name: value' line"),
    ])
  func errors(content: String, place: String) {
    let text = error(["f": content], "--header", "@f")
    #expect(text.contains(place) && text.hasPrefix("--header: "), "\(text)")
    #expect(!text.contains("hid") && !text.contains("Host"), "\(text)")
  }

  @Test("A file that cannot be read is an error that names it")
  func unreadable() {
    #expect(error([:], "--header=@nothing").contains("the file 'nothing' does not exist"))
    #expect(error(["latin": ""], "--header=@latin").contains("'latin' is not UTF-8"))
    #expect(error([:], "--header=@").contains("after @"))
  }

  @Test("A body comes from a file too")
  func body() throws {
    let options = try options(["q.json": #"{"a": 1}"#], "-d", "@q.json")
    #expect(options.body?.description == #"{"a": 1}"# && options.method == .post)
    let text = error(["q.json": "hidden"], "--body", "@q.json")
    #expect(text.contains("the file 'q.json'") && !text.contains("hid"), "\(text)")
  }

  @Test("A file of the machine is read")
  func realFile() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
    try Data("X: 1".utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    #expect(try Files.system.text(of: path.path(), for: "header") == "X: 1")
    #expect(throws: UsageError.self) { try Files.system.text(of: path.path() + "x", for: "header") }
  }
}
