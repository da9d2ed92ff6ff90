import Foundation
import Testing

@testable import Freshet

@Suite("Freshness by HTTP")
struct HTTPFreshnessTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = Date(timeIntervalSince1970: 784_111_777)

  private static let limits: ClosedRange<Duration> = .zero...CacheControl.longest

  private func freshness(
    _ headers: HTTPHeaders, request: HTTPHeaders = [:], delay: Duration = .zero,
    usesHeuristics: Bool = false
  ) -> HTTPFreshness {
    HTTPFreshness(
      status: 200, headers: headers, requestHeaders: request, responseDate: Self.now,
      responseDelay: delay,
      usesHeuristics: usesHeuristics)
  }

  @Test("A response that does not say has no lifetime")
  func silence() {
    let silent = freshness(["Last-Modified": "Sat, 05 Nov 1994 08:49:37 GMT"])
    #expect(silent.lifetime == nil)
    #expect(silent.lifetime(in: Self.limits) == nil)
  }

  @Test("max-age counts for more than Expires")
  func maxAgeFirst() {
    let headers: HTTPHeaders = [
      "Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "Cache-Control": "max-age=10",
    ]
    #expect(freshness(headers).lifetime == .seconds(10))
  }

  @Test("Expires counts from the server's date, not from ours")
  func expiresFromDate() {
    let headers: HTTPHeaders = [
      "Expires": "Sun, 06 Nov 1994 09:00:10 GMT", "Date": "Sun, 06 Nov 1994 09:00:00 GMT",
    ]
    #expect(freshness(headers).lifetime == .seconds(10))
    #expect(freshness(["Expires": "Sun, 06 Nov 1994 08:49:47 GMT"]).lifetime == .seconds(10))
  }

  @Test(
    "Freshness that is stated but not valid is none",
    arguments: [
      ["Expires": "0"], ["Expires": "tomorrow"], ["Expires": "Sun, 06 Nov 1994 08:00:00 GMT"],
      ["Cache-Control": "max-age=-1", "Expires": "Mon, 07 Nov 1994 08:49:37 GMT"],
    ] as [HTTPHeaders])
  func invalid(headers: HTTPHeaders) {
    #expect(freshness(headers).lifetime == .zero)
  }

  @Test("Heuristics give a tenth of the age of the content, only when enabled")
  func heuristics() {
    let modified: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"]
    #expect(freshness(modified, usesHeuristics: true).lifetime == .seconds(100))
    let other = HTTPFreshness(
      status: 201, headers: modified, responseDate: Self.now, responseDelay: .zero,
      usesHeuristics: true)
    #expect(other.lifetime == nil)
  }

  @Test("The age on arrival is the largest that is known")
  func initialAge() {
    let old = "Sun, 06 Nov 1994 08:48:37 GMT"
    #expect(freshness([:], delay: .seconds(2)).initialAge == .seconds(2))
    #expect(freshness(["Age": "7"], delay: .seconds(2)).initialAge == .seconds(9))
    #expect(freshness(["Age": "7", "Date": old], delay: .seconds(2)).initialAge == .seconds(60))
    #expect(freshness(["Age": "90", "Date": old]).initialAge == .seconds(90))
    #expect(freshness(["Date": "Sun, 06 Nov 1994 09:49:37 GMT"]).initialAge == .zero)
    #expect(freshness(["Age": "5, 90"]).initialAge == .seconds(5))
    #expect(freshness(["Age": "-5"]).initialAge == .zero)
    #expect(freshness(["Age": "99999999999999999999"]).initialAge == CacheControl.longest)
  }

  @Test("The lifetime in a store counts from the arrival, within limits")
  func storeLifetime() {
    let response = freshness(["Cache-Control": "max-age=10", "Age": "3"])
    #expect(response.lifetime(in: Self.limits) == .seconds(7))
    #expect(response.lifetime(in: .seconds(8) ... .seconds(9)) == .seconds(8))
    #expect(response.lifetime(in: .zero ... .seconds(2)) == .seconds(2))
    #expect(
      freshness(["Cache-Control": "max-age=3", "Age": "10"]).lifetime(in: Self.limits) == .zero)
  }

  @Test(
    "Some responses have to be confirmed each time",
    arguments: [
      ["Cache-Control": "no-cache, max-age=10"],
      ["Cache-Control": "max-age=10, no-cache=\"set-cookie\""],
      ["Cache-Control": "max-age=10", "Vary": "*"],
      ["Pragma": "no-cache", "Expires": "Mon, 07 Nov 1994 08:49:37 GMT"],
    ] as [HTTPHeaders])
  func confirmedEachTime(headers: HTTPHeaders) {
    let response = freshness(headers)
    #expect(response.requiresValidation)
    #expect(response.lifetime(in: .seconds(5) ... .seconds(5)) == .zero)
    #expect(!response.mayBeUsed(staleFor: .zero, isConfirming: true, hasFailed: true))
  }

  @Test("A stale response may be used while it is confirmed, or on errors, as long as it says")
  func staleUse() {
    let response = freshness([
      "Cache-Control": "max-age=10, stale-while-revalidate=5, stale-if-error=20"
    ])
    #expect(response.mayBeUsed(staleFor: .seconds(4), isConfirming: true, hasFailed: false))
    #expect(!response.mayBeUsed(staleFor: .seconds(5), isConfirming: true, hasFailed: false))
    #expect(response.mayBeUsed(staleFor: .seconds(19), isConfirming: false, hasFailed: true))
    #expect(!response.mayBeUsed(staleFor: .seconds(20), isConfirming: true, hasFailed: true))
    #expect(!response.mayBeUsed(staleFor: .zero, isConfirming: false, hasFailed: false))

    let strict = freshness([
      "Cache-Control": "max-age=10, stale-while-revalidate=5, stale-if-error=20, must-revalidate"
    ])
    #expect(strict.forbidsStaleUse)
    #expect(strict.lifetime(in: Self.limits) == .seconds(10))
    #expect(!strict.mayBeUsed(staleFor: .seconds(1), isConfirming: true, hasFailed: true))
  }

  @Test("Neither side may be overruled about storing")
  func storing() {
    #expect(freshness(["Cache-Control": "No-Store"]).forbidsStoring)
    #expect(freshness([:], request: ["Cache-Control": "no-store"]).forbidsStoring)
    #expect(!freshness(["Cache-Control": "private"]).forbidsStoring)
  }

  @Test(
    "Random responses are judged as a model in whole seconds does",
    arguments: [1, 2, 3] as [UInt64])
  func randomResponses(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<trialCount(2_000) {
      let model = FreshnessModel(using: &random)
      let response = freshness(model.headers, delay: .seconds(model.delay))
      let minimum = Int.random(in: 0...60, using: &random)
      let limits = minimum...Int.random(in: minimum...120, using: &random)
      let staleTime = Int.random(in: 0...70, using: &random)
      let (isConfirming, hasFailed) = (random.chance(0.5), random.chance(0.5))
      #expect(response.initialAge == .seconds(model.initialAge), "seed \(seed) round \(round)")
      #expect(
        response.lifetime(in: .seconds(limits.lowerBound) ... .seconds(limits.upperBound))
          == model.lifetime(in: limits).map { .seconds($0) },
        "seed \(seed) round \(round): \(model)")
      #expect(
        response.mayBeUsed(
          staleFor: .seconds(staleTime), isConfirming: isConfirming, hasFailed: hasFailed)
          == model.mayBeUsed(staleTime, isConfirming, hasFailed),
        "seed \(seed) round \(round): \(model)")
    }
  }

  /// The calculation of RFC 9111 section 4.2 in whole seconds since the response arrived.
  private struct FreshnessModel {
    var delay: Int
    var date: Int?
    var age: Int?
    var maxAge: Int?
    var expires: Int?
    var whileRevalidating: Int?
    var ifError: Int?
    var mustRevalidate: Bool
    var forbids: String?

    init(using random: inout SeededGenerator) {
      delay = Int.random(in: 0...9, using: &random)
      date = random.chance(0.7) ? Int.random(in: -60...30, using: &random) : nil
      age = random.chance(0.5) ? Int.random(in: 0...60, using: &random) : nil
      maxAge = random.chance(0.5) ? Int.random(in: 0...150, using: &random) : nil
      expires = random.chance(0.5) ? Int.random(in: -30...150, using: &random) : nil
      whileRevalidating = random.chance(0.5) ? Int.random(in: 0...60, using: &random) : nil
      ifError = random.chance(0.5) ? Int.random(in: 0...60, using: &random) : nil
      mustRevalidate = random.chance(0.2)
      forbids = random.chance(0.2) ? random.pick(["no-cache", "no-store"]) : nil
    }

    var headers: HTTPHeaders {
      var headers = HTTPHeaders()
      headers["Date"] = date.flatMap(text)
      headers["Age"] = age.map(String.init)
      headers["Expires"] = expires.flatMap(text)
      if let maxAge { headers.append("max-age=\(maxAge)", for: "Cache-Control") }
      if let whileRevalidating {
        headers.append("stale-while-revalidate=\(whileRevalidating)", for: "cache-control")
      }
      if let ifError { headers.append("stale-if-error=\(ifError)", for: "Cache-Control") }
      if mustRevalidate { headers.append("must-revalidate", for: "Cache-Control") }
      if let forbids { headers.append(forbids, for: "Cache-Control") }
      return headers
    }

    var initialAge: Int { max(max(0, -(date ?? 0)), (age ?? 0) + delay) }

    var statedLifetime: Int? { maxAge ?? expires.map { max(0, $0 - (date ?? 0)) } }

    func lifetime(in limits: ClosedRange<Int>) -> Int? {
      guard forbids == nil else { return 0 }
      guard let statedLifetime else { return nil }
      return min(max(statedLifetime - initialAge, limits.lowerBound), limits.upperBound)
    }

    func mayBeUsed(_ staleTime: Int, _ isConfirming: Bool, _ hasFailed: Bool) -> Bool {
      let windows = [isConfirming ? whileRevalidating : nil, hasFailed ? ifError : nil]
      let staleTime = staleTime + max(initialAge - (statedLifetime ?? initialAge), 0)
      return forbids == nil && !mustRevalidate && windows.contains { staleTime < $0 ?? 0 }
    }

    private func text(_ offset: Int) -> String? {
      HTTPDate.string(from: now.addingTimeInterval(Double(offset)))
    }
  }
}
