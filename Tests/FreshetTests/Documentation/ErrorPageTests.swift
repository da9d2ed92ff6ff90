import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The page about errors", .standardTimeLimit)
struct ErrorPageTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources").standardizedFileURL
  private let page: String

  init() throws {
    page = try String(
      contentsOf: Self.sources.appending(path: "Freshet/Freshet.docc/Errors.md"), encoding: .utf8)
  }

  @Test("names every public error type")
  func types() throws {
    var types: [String] = []
    for module in ["Freshet", "FreshetCloudKit", "FreshetTesting"] {
      for source in try Self.sources(of: module) {
        // Nested types have their owner's name before their own, as in links of DocC.
        types += Self.errorTypes(in: source).map {
          module == "Freshet" ? "``\($0)``" : "`\($0.replacing("/", with: "."))`"
        }
      }
    }
    #expect(types.count >= 15, "\(types)")
    let missing = types.filter { !page.contains($0) }
    #expect(missing == [], "describe these types in Errors.md")
  }

  @Test("names every public function with a typed error")
  func functions() throws {
    var missing: [String] = []
    for source in try Self.sources(of: "Freshet") where source.contains("throws(") {
      for part in source.components(separatedBy: "public ") {
        let declaration = part.prefix { $0 != "{" && $0 != "}" }
        guard declaration.contains("throws("),
          let match = declaration.firstMatch(of: /^(?:final |mutating )*func (\w+)\(/)
        else { continue }
        let name = String(match.output.1)
        if !page.contains("/\(name)(") { missing.append(name) }
      }
    }
    #expect(missing == [], "describe these functions in Errors.md")
  }

  @Test("names every public property that is an error, and every type that can be decoded")
  func propertiesAndDecoding() throws {
    var links: [String] = []
    for source in try Self.sources(of: "Freshet") {
      var owner = ""
      for line in source.split(separator: "\n") {
        guard line.contains("public") || line.hasPrefix("extension") else { continue }
        // Matching is slow: most lines declare none of these.
        guard !line.contains(" func ") else { continue }
        let type = /^(?:public |final )*(?:struct|enum|class|extension) ([\w.]+)/
        if let match = line.firstMatch(of: type) {
          owner = String(match.output.1).replacing(".", with: "/")
        }
        let property = /^  public (?:final |private\(set\) )*(?:var|let) (\w+): \w*Error\?/
        if let match = line.firstMatch(of: property) {
          links.append("``\(owner)/\(match.output.1)")
        }
        if line.contains("public init(from decoder: any Decoder) throws") {
          links.append("``\(owner)``")
        }
      }
    }
    #expect(links.count >= 9, "\(links)")
    let missing = links.filter { !page.contains($0) }
    #expect(missing == [], "describe these in Errors.md")
  }

  @Test("says of every kind what it is, whether it is transient, and what to show")
  func kinds() throws {
    let rows = page.split(separator: "\n").map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    for kind in ResourceError.Kind.allCases {
      let row = try #require(
        rows.first { $0.first == "``ResourceError/Kind/\(kind.rawValue)``" && $0.count == 4 },
        "\(kind) has no row in Errors.md")
      let error = ResourceError(kind, "")
      if kind == .http {
        // A response that is a rate limit whatever its header fields is never of this kind.
        let url = URL(filePath: "/")
        let statuses = (400..<600).filter {
          ResourceError(kind, "", status: $0).isTransient
            && !HTTPResponse(status: $0, url: url).isRateLimit(after: nil)
        }
        #expect(row[2] == statuses.map(String.init).joined(separator: ", "))
      } else {
        #expect(row[2] == (error.isTransient ? "yes" : "no"), "\(kind)")
      }
      #expect(kind == .cancelled || row[3].hasPrefix("\"\(error.userMessage)\""), "\(kind)")
    }
  }

  @Test("finds error types however they are declared")
  func scan() {
    let source = """
      public struct A: Error, Sendable {}
      public enum B: Sendable {
        public enum C: QuotableError {}
        enum D: Error {}
      }
      extension E.F {
        public final class G: Hashable, Error {}
      }
      extension H: LocalizedError {}
      public struct I: RetryAdvice {}
      public struct J {
        let error: Error
      }
      """
    #expect(Self.errorTypes(in: source) == ["A", "B/C", "E/F/G", "H"])
  }

  private static func sources(of module: String) throws -> [String] {
    let folder = sources.appending(path: module)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
  }

  /// The public types of a file that conform to `Error`, with the names of their owners.
  private static func errorTypes(in source: String) -> [String] {
    var types: [String] = []
    var owner = ""
    let declaration =
      /^( *)(public )?(?:final )?(extension|struct|enum|class|actor) ([\w.]+)(?:: ([^{]*))?.*/
    for line in source.split(separator: "\n") {
      // Matching is slow: most lines declare no type.
      let first = line.split(separator: " ", maxSplits: 1).first.map(String.init) ?? ""
      guard line.hasSuffix("{") || line.hasSuffix("}"),
        ["public", "final", "extension", "struct", "enum", "class", "actor"].contains(first),
        let match = line.wholeMatch(of: declaration)
      else { continue }
      let (_, space, access, keyword, path, list) = match.output
      let name = String(path).replacing(".", with: "/")
      if space.isEmpty { owner = name }
      let conformances = (list ?? "").split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let isError = conformances.contains {
        ["Error", "QuotableError", "LocalizedError"].contains($0)
      }
      guard isError, access != nil || keyword == "extension" else { continue }
      let type = space.isEmpty ? name : "\(owner)/\(name)"
      if !types.contains(type) { types.append(type) }
    }
    return types
  }
}
