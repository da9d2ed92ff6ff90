import Foundation
import Testing

@testable import Freshet

/// Caches with one identifier have one order of operations, whoever asks for them.
@Suite("The identifiers of storages")
struct StorageIdentifierTests {
  @Test("Caches of one directory have one order of operations")
  func sameDirectory() {
    func identifier(_ path: String) -> String? {
      DiskCache(directory: URL(filePath: path)).storageIdentifier
    }
    #expect(identifier("/tmp/a/../b") == identifier("/tmp/b/"))
    #expect(identifier("/tmp/b") != identifier("/tmp/c"))
    #expect(HeldCache().storageIdentifier == nil)
  }

  @Test("A symbolic link on the way to a directory makes no other one of it, also before it exists")
  func linkedDirectory() throws {
    func identifier(_ path: String) -> String? {
      DiskCache(directory: URL(filePath: path, directoryHint: .isDirectory)).storageIdentifier
    }
    let folder = TemporaryFolder()
    let (own, link) = (folder.path + "own/", folder.path + "link")
    try FileManager.default.createDirectory(
      atPath: own + "deep/cache", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: own + "deep")
    for (left, right) in [
      (link, own + "deep"), (link + "/cache", own + "deep/cache/"),
      (link + "/new", own + "deep/new"), (link + "/new/er", own + "deep/new/er"),
      // Not the directory of the link: the system follows it first.
      (link + "/../x", own + "x"),
    ] {
      #expect(identifier(left) == identifier(right), "\(left)")
    }
    #expect(identifier(link + "/cache") != identifier(link))
    #expect(identifier(link + "/new") != identifier(link + "/newer"))
    for path in ["/a", "/.."] { #expect(identifier(path)?.hasPrefix("/") == true) }
  }
}
