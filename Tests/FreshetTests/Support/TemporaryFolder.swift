import Foundation

/// A folder for the files of one test, removed at its end.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(
    path: "freshet-\(UUID())", directoryHint: .isDirectory)

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path(percentEncoded: false) }

  /// The names of all files, sorted; empty without the folder.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func file(_ name: String) -> URL { url.appending(component: name) }
}
