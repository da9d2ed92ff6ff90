import Foundation
import Testing

/// Each block of Swift in the documentation, on pages and in doc comments, is the copy of code that is
/// compiled: what is between `// snippet` and `// end` in a source of these folders. White space makes no
/// difference.
@Suite("The code in the documentation")
struct CodeBlockTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  @Test("is compiled")
  func isCompiled() throws {
    let code = Set(try Self.snippets().map(\.code))
    for page in try Self.pages() {
      for block in Self.blocks(in: try Self.markdown(of: page)) where !code.contains(block.words) {
        Issue.record(
          """
          \(page):\(block.line): mark code that has these words with "// snippet" and "// end" in \
          Tests/Examples/Snippets or Tests/FreshetCloudKitTests:
          \(block.text)
          """)
      }
    }
  }

  @Test("has no code that it does not show")
  func isShown() throws {
    let blocks = Set(
      try Self.pages().flatMap { Self.blocks(in: try Self.markdown(of: $0)).map(\.words) })
    let snippets = try Self.snippets()
    #expect(snippets.count > 100, "too few snippets were found")
    for snippet in snippets where !blocks.contains(snippet.code) {
      Issue.record("\(snippet.place): no page and no doc comment shows this snippet")
    }
  }

  @Test("is found in blocks of Swift alone")
  func blocks() {
    let page = """
      Text, then
      ```swift
      let a =
        1
      ```
      ```sh
      let b = 2
      ```
      """
    let blocks = Self.blocks(in: page)
    #expect(blocks.map(\.words) == ["let a = 1"])
    #expect(blocks.map(\.line) == [3])
  }

  @Test("is found where a page has it in a list, or does not end it")
  func unusualBlocks() {
    let page = """
      - Text, then
        ```swift
        let a = 1
        ```
      ```swift
      let b = 2
      """
    #expect(Self.blocks(in: page).map(\.words) == ["let a = 1", "let b = 2"])
  }

  @Test("is found in doc comments, and nowhere else in a source")
  func docComments() {
    let source = """
      /// Text, then
      ///
      /// ```swift
      /// let a =
      ///   1
      /// ```
      struct A {
        // ```swift
        // let b = 2
        // ```
        ///```swift
        ///let c = 3
        ///
        ///```
        let text = "/// ```swift"
      }
      """
    let blocks = Self.blocks(in: Self.docComments(in: source))
    #expect(blocks.map(\.words) == ["let a = 1", "let c = 3"])
    #expect(blocks.map(\.line) == [4, 12])
    #expect(blocks.map(\.text) == ["let a =\n  1", "let c = 3\n"])
  }

  // MARK: Pages and sources

  /// The files with documentation: pages, and sources for their doc comments.
  private static func pages() throws -> [String] {
    try ["README.md"] + files(in: "Sources", ending: ".md").filter { $0.contains(".docc/") }
      + files(in: "Sources", ending: ".swift")
  }

  private static func markdown(of page: String) throws -> String {
    let text = try text(of: page)
    return page.hasSuffix(".swift") ? docComments(in: text) : text
  }

  /// The text of the doc comments in a source, each line at its place.
  private static func docComments(in source: String) -> String {
    source.components(separatedBy: "\n").map { line in
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("///") else { return "" }
      let text = line.dropFirst(3)
      return String(text.hasPrefix(" ") ? text.dropFirst() : text)
    }.joined(separator: "\n")
  }

  private static func snippets() throws -> [(place: String, code: String)] {
    var snippets: [(place: String, code: String)] = []
    for folder in ["Tests/Examples", "Tests/FreshetCloudKitTests"] {
      for file in try files(in: folder, ending: ".swift") {
        var start: Int?
        let lines = try text(of: file).components(separatedBy: "\n")
        for (index, line) in lines.enumerated() {
          switch (line.trimmingCharacters(in: .whitespaces), start) {
          case ("// snippet", nil): start = index + 1
          case ("// end", let first?):
            snippets.append(("\(file):\(first)", words(of: lines[first..<index])))
            start = nil
          case ("// snippet", _), ("// end", _):
            Issue.record("\(file):\(index + 1): markers that do not match")
          default: break
          }
        }
        if let start { Issue.record("\(file):\(start): a snippet without end") }
      }
    }
    return snippets
  }

  private static func blocks(in page: String) -> [(line: Int, text: String, words: String)] {
    var blocks: [(line: Int, text: String, words: String)] = []
    var start: Int?
    // The end of the page ends a block.
    let lines = page.components(separatedBy: "\n") + ["```"]
    for (index, line) in lines.enumerated() {
      switch (line.trimmingCharacters(in: .whitespaces), start) {
      case ("```swift", nil): start = index + 1
      case ("```", let first?):
        let block = lines[first..<index]
        blocks.append((first + 1, block.joined(separator: "\n"), words(of: block)))
        start = nil
      default: break
      }
    }
    return blocks
  }

  private static func words(of lines: ArraySlice<String>) -> String {
    lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func files(in folder: String, ending suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
