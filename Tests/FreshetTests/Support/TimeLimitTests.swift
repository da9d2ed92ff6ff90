import Foundation
import Testing

@Suite("The time limits of tests")
struct TimeLimitTests {
  @Test("Every suite with asynchronous tests has one, and no test another")
  func everySuite() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let suites = /\n@Suite\((?<traits>(?s:.*?))\)\s[^"\n]*\bstruct (?<body>(?s:.*?))\n}/
    var suiteCount = 0
    for target in ["FreshetTests", "FreshetCloudKitTests", "PagewalkTests", "Examples"] {
      let folder = tests.appending(path: target)
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where path.hasSuffix(".swift") {
        let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        // A short one fails where the machine is busy.
        let limitCount = source.matches(of: /\.timeLimit\(/).count
        #expect(limitCount == (path.hasSuffix("TimeLimit.swift") ? 1 : 0), "\(target)/\(path)")
        for suite in source.matches(of: suites) {
          guard suite.body.contains(/func [^{]*\basync\b/) else { continue }
          suiteCount += 1
          #expect(suite.traits.contains(".standardTimeLimit"), "a suite in \(target)/\(path)")
        }
      }
    }
    #expect(suiteCount > 100, "too few suites were found")
  }
}
