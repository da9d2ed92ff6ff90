import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("An authorizer under random treatment", .standardTimeLimit)
struct TokenAuthorizerModelTests {
  @Test("It agrees with a model, whatever comes", arguments: 1...40)
  func random(seed: UInt64) async throws {
    let trial = try AuthorizerTrial(seed: seed)
    for step in 0..<120 {
      await trial.step()
      if let difference = await trial.difference() {
        Issue.record("seed \(seed), step \(step): \(difference)\n\(trial.script.suffix(12))")
        break
      }
    }
    await trial.end()
  }
}

/// The outcome of a request.
private enum Outcome: Equatable, Sendable {
  case token(String)
  case renewed
  case failed(String)

  init(_ result: Result<Outcome, any Error>) {
    switch result {
    case .success(let outcome): self = outcome
    case .failure(let error): self = .failed("\(error)")
    }
  }
}

private struct Lost: Error, CustomStringConvertible { let description = "lost" }

/// An authorizer, what it should be doing, and a row of random calls of both.
private final class AuthorizerTrial {
  private var random: SeededGenerator
  private let url: URL
  private let fetches = FetchScript()
  private let tokens: TokenAuthorizer
  private let outcomes = Locked<[Int: Outcome]>([:])
  private let refusals = Locked(0)
  private var tasks: [Int: Task<Void, Never>] = [:]
  private(set) var script: [String] = []

  // The model.
  private var status = TokenAuthorizer.Status.active
  private var token: String?
  /// The session that each token belongs to; the user has signed out that often.
  private var sessions: [String: Int] = [:]
  private var session = 0
  private var fetch: Int?
  private var fetchCount = 0
  private var abandoned: [Int] = []
  private var waiting: [Int: Bool] = [:]
  private var expected: [Int: Outcome] = [:]
  private var refusalCount = 0
  private var used: [String] = []

  private var requestCount = 0
  private var tokenCount = 0

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    url = try #require(URL(string: "https://api.test/a"))
    token = random.chance(0.5) ? "first" : nil
    self.random = random
    let (fetches, refusals) = (fetches, refusals)
    tokens = TokenAuthorizer(
      token: token, clock: ManualClock(), onRenewalRefused: { refusals.withLock { $0 += 1 } },
      fetch: { try await fetches.fetch() })
  }

  func step() async {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: await authorize()
    case 30..<55: await renew()
    case 55..<63: await signIn()
    case 63..<70: await signOut()
    case 70..<75: await cancel()
    case 75..<82: await endAbandoned()
    default: await endFetch()
    }
  }

  private func nextToken() -> String {
    tokenCount += 1
    return "t\(tokenCount)"
  }

  private func authorize() async {
    let request = HTTPRequest(url: url)
    script.append("authorize \(requestCount)")
    if let failure {
      expect(failure)
    } else if fetch == nil, let token {
      expect(.token(token))
    } else {
      wait(renewing: false)
    }
    await run { [tokens] in
      .token(try await tokens.authorize(request).headers["Authorization"]?.dropping ?? "none")
    }
  }

  private func renew() async {
    let used = random.pick(used + [token ?? "none", token ?? "none"])
    script.append("renew \(requestCount) after \(used)")
    if let known = sessions[used], known != session {
      expect(.failed("\(TokenAuthorizer.Failure.signedOut)"))
    } else if let failure {
      expect(failure)
    } else if fetch != nil || used == token {
      wait(renewing: true)
    } else {
      expect(.renewed)
    }
    var request = HTTPRequest(url: url)
    request.headers["Authorization"] = "Bearer \(used)"
    await run { [tokens, request] in
      _ = try await tokens.renew(after: request)
      return .renewed
    }
  }

  private var failure: Outcome? {
    switch status {
    case .active: nil
    case .signedOut: .failed("\(TokenAuthorizer.Failure.signedOut)")
    case .renewalRefused: .failed("\(TokenAuthorizer.Failure.renewalRefused)")
    }
  }

  private func expect(_ outcome: Outcome) { expected[requestCount] = outcome }

  private func wait(renewing: Bool) {
    waiting[requestCount] = renewing
    guard fetch == nil else { return }
    fetchCount += 1
    fetch = fetchCount
  }

  private func run(_ work: @escaping @Sendable () async throws -> Outcome) async {
    let (number, outcomes) = (requestCount, outcomes)
    requestCount += 1
    let begins = await fetches.count < fetchCount
    let waiterCount = await tokens.waiterCount
    tasks[number] = Task {
      let result: Result<Outcome, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      outcomes.withLock { $0[number] = Outcome(result) }
    }
    if begins { await fetches.begins() }
    // One more than before, because those that were cancelled may still be counted.
    guard waiting[number] != nil else { return }
    let tokens = tokens
    await until { await tokens.waiterCount > waiterCount }
  }

  private func release(_ outcome: (Bool) -> Outcome) {
    for (number, isRenewing) in waiting { expected[number] = outcome(isRenewing) }
    waiting = [:]
    if let fetch { abandoned.append(fetch) }
    fetch = nil
  }

  private func succeed(with new: String) {
    (token, status) = (new, .active)
    used.append(new)
    sessions[new] = session
    release { $0 ? .renewed : .token(new) }
  }

  private func signIn() async {
    let new = random.chance(0.2) ? used.randomElement(using: &random) ?? nextToken() : nextToken()
    script.append("sign in with \(new)")
    succeed(with: new)
    await tokens.signIn(with: new)
  }

  private func signOut() async {
    script.append("sign out")
    session += 1
    (token, status) = (nil, .signedOut)
    release { _ in .failed("\(TokenAuthorizer.Failure.signedOut)") }
    await tokens.signOut()
  }

  private func cancel() async {
    guard let number = waiting.keys.sorted().first else { return }
    script.append("cancel \(number)")
    waiting[number] = nil
    expected[number] = .failed("\(CancellationError())")
    tasks[number]?.cancel()
  }

  private func endAbandoned() async {
    guard let number = abandoned.popLast() else { return }
    script.append("fetch \(number) ends late")
    await fetches.end(number, with: random.chance(0.5) ? .success("late") : .failure(Lost()))
    for _ in 0..<50 { await Task.yield() }
  }

  private func endFetch() async {
    guard let number = fetch else { return }
    fetch = nil
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let new = nextToken()
      script.append("fetch \(number) brings \(new)")
      succeed(with: new)
      await fetches.end(number, with: .success(new))
    case 1:
      script.append("fetch \(number) fails")
      release { _ in .failed("lost") }
      await fetches.end(number, with: .failure(Lost()))
    default:
      script.append("fetch \(number) is refused")
      (token, status) = (nil, .renewalRefused)
      refusalCount += 1
      release { _ in .failed("\(TokenAuthorizer.Failure.renewalRefused)") }
      await fetches.end(number, with: .failure(TokenAuthorizer.Failure.renewalRefused))
    }
    let (tokens, status) = (tokens, status)
    await until { await tokens.waiterCount == 0 }
    await until { await tokens.status == status }
  }

  /// The difference between the authorizer and the model; nil if there is none.
  func difference() async -> String? {
    let (outcomes, expected, refusals, refusalCount) = (outcomes, expected, refusals, refusalCount)
    await until {
      outcomes.withLock { $0.count } >= expected.count
        && refusals.withLock { $0 } >= refusalCount
    }
    let found = outcomes.withLock { $0 }
    if found != expected {
      let numbers = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
      return numbers.sorted().map {
        "request \($0): \(found[$0].debugDescription), not \(expected[$0].debugDescription)"
      }.joined(separator: "; ")
    }
    if await fetches.count != fetchCount {
      return "\(await fetches.count) fetches, not \(fetchCount)"
    }
    if await tokens.status != status { return "\(await tokens.status), not \(status)" }
    let reported = refusals.withLock { $0 }
    return reported == refusalCount ? nil : "\(reported) refusals, not \(refusalCount)"
  }

  /// Ends everything that is under way.
  func end() async {
    await tokens.signOut()
    await fetches.endAll()
    for task in tasks.values { await task.value }
  }
}

extension String {
  /// The token of credentials.
  fileprivate var dropping: String { hasPrefix("Bearer ") ? String(dropFirst(7)) : self }
}
