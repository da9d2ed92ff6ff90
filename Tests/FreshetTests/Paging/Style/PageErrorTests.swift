import Foundation
import Testing

@testable import Freshet

@Suite("PageError: descriptions") struct PageErrorTests {
  /// A name or a message from a server that is no friend.
  private static let text =
    "a\u{1B}[31m\r\nb\u{2028}\u{202E}" + String(repeating: "x", count: 5_000)
  private static let path = JSONPath(names: [text])

  /// Every case, with such texts wherever it may have one.
  static let errors: [PageError] = [
    .noContent(status: 204), .notJSON(mediaType: text), .noItems(at: nil, nil),
    .malformed(JSONText.SyntaxError(parsing: "[" + text)), .noItems(at: .root, .object),
    .malformed(JSONText.SyntaxError(parsing: String(repeating: "[", count: 600))),
    .noItems(at: path, nil), .noItems(at: path, .object), .itemsOnFirstPage(path),
    .ambiguousItems(Array(repeating: path, count: 9)), .unusableLink(at: path, .object),
    .unknownContinuation(.init(at: .headerField(text), .token)),
    .unknownContinuation(.init(at: .member(path), .token)),
    .lastItemNeeded(query: text, more: path), .notReady(status: 202),
    .partOfRange(text, itemCount: 1), .noLastItem(path), .notCounting(parameter: text),
    .skippedPage(parameter: text, first: 0),
    .reported([]), .reported(Array(repeating: text, count: 9)),
  ]

  @Test("Texts from a server are shown on one line, and in part", arguments: errors)
  func serverTexts(error: PageError) {
    let message = error.description
    #expect(String(message.unicodeScalars.onOneLine) == message)
    #expect(message.utf8.count < 1_300)
  }

  @Test("The description is what is wrong, and what to do", arguments: errors)
  func remedies(error: PageError) {
    #expect(error.description.hasPrefix(error.problem))
    #expect(!error.problem.contains("PageStyle"))
    if case .reported = error {
      #expect(error.remedy == nil)
    } else {
      #expect(error.remedy.map { error.description.hasSuffix(": \($0)") } == true)
    }
  }

  @Test("JSON that is nested too deep is not called something else")
  func nesting() {
    let text = String(repeating: "[", count: 600)
    let message = PageError.malformed(JSONText.SyntaxError(parsing: text)).description
    #expect(message.hasPrefix("nested too deep: expected no more than 512 "))
    #expect(message.contains("request a response with fewer levels"))
    #expect(!message.contains("not JSON") && !message.contains("check that the URL"))
  }

  @Test("A failure without a message says so")
  func withoutMessage() {
    #expect(
      PageError.reported([]).description == "the server reports a failure, without a message")
  }
}

extension JSONText.SyntaxError {
  fileprivate init(parsing text: String) {
    do {
      _ = try JSONText(parsing: Data(text.utf8))
      preconditionFailure("\(text) is JSON")
    } catch {
      self = error
    }
  }
}
