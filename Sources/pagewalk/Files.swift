import Foundation

/// Reading the files that options name.
struct Files: Sendable {
  /// Reads a file by its path; `-` is standard input.
  var read: @Sendable (_ path: String) throws -> Data

  /// The files of the machine.
  static let system = Files { path in
    path == "-"
      ? try FileHandle.standardInput.readToEnd() ?? Data()
        // A pipe as well, such as that of `<(…)` in a shell.
      : try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
  }

  /// The text of a file. Errors name the file and the option, never the content.
  func text(of path: String, for option: String) throws(UsageError) -> String {
    let location = "--\(option): \(Files.name(of: path))"
    let bytes: Data
    do {
      bytes = try read(path)
    } catch CocoaError.fileReadNoSuchFile {
      throw UsageError("\(location) does not exist")
    } catch CocoaError.fileReadNoPermission {
      throw UsageError("\(location) is not readable by this user")
    } catch {
      throw UsageError("\(location) cannot be read")
    }
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw UsageError("\(location) is not UTF-8 text")
    }
    return text
  }

  static func name(of path: String) -> String {
    path == "-" ? "standard input" : "the file '\(path)'"
  }
}
