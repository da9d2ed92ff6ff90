import Foundation
import Testing

/// The public conformance data, read from the folder that `FRESHET_CONFORMANCE` names.
///
/// Suites that need it carry `.enabled(if: Conformance.isAvailable)`: where the variable is not set
/// they are reported as skipped.
enum Conformance {
  /// The folder, or nil where none is named.
  static let folder = ProcessInfo.processInfo.environment["FRESHET_CONFORMANCE"]
    .map { URL(fileURLWithPath: $0, isDirectory: true) }

  /// Whether there is conformance data to test against.
  static var isAvailable: Bool { folder != nil }

  /// Decodes one file of the folder.
  static func load<Content: Decodable>(_ path: String, as type: Content.Type) throws -> Content {
    let folder = try #require(folder, "set FRESHET_CONFORMANCE to the folder of the data")
    return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: path)))
  }
}
