import Testing

@testable import Freshet

@Suite("The sessions of tokens")
struct TokenSessionsTests {
  @Test("Those of the newest tokens are known, however often a token is renewed")
  func bounded() {
    var sessions = TokenSessions()
    for number in 0..<10_000 {
      sessions.insert("\(number)", number / 3)
      sessions.checkInvariants()
      let known = max(0, number - 499)...number
      #expect(sessions[String(known.lowerBound)] == known.lowerBound / 3)
      #expect(sessions["\(number)"] == number / 3 && sessions.count <= 1_000)
    }
    #expect(sessions["0"] == nil)
  }
}
