import Foundation
import Freshet
import Testing

@Suite("The page of defaults")
struct DefaultsPageTests {
  private struct Item: Decodable, Identifiable, Sendable { let id: Int }

  @Test("has the values of the code")
  func values() throws {
    let configuration = Service.Configuration()
    let limits = Service.RetentionLimits()
    let list = PagedCollection<Item>.Options()
    let numbered = Paginator<Item>.Options()
    let wire = TransportConfiguration()
    #expect(configuration.responseFreshness == nil && configuration.retryPolicy == .none)
    #expect(Service.RetryPolicy.standard.maximumRetries == 2)
    #expect(configuration.reloadsWhenInvalidated && list.reloadsWhenInvalidated)
    #expect(!configuration.cancelsUnobservedLoads && configuration.cache == nil)
    #expect(list.retainedPageLimit == nil && list.identity != nil && list.allowedOrigins.isEmpty)
    #expect(list.publication == .asPagesArrive && wire.acceptsCompression)
    guard case .iso8601 = configuration.json.dateDecodingStrategy,
      case .useDefaultKeys = configuration.json.keyDecodingStrategy,
      case .iso8601 = configuration.json.dateEncodingStrategy,
      case .useDefaultKeys = configuration.json.keyEncodingStrategy
    else {
      Issue.record("\(configuration.json)")
      return
    }

    let rows = try Self.rows()
    for (symbol, value) in [
      ("Service/Configuration/freshnessLifetime", Self.seconds(configuration.freshnessLifetime)),
      ("Service/Configuration/failureCooldown", Self.seconds(configuration.failureCooldown)),
      ("Service/Configuration/timeout", Self.seconds(configuration.timeout)),
      (
        "Service/Configuration/maximumResponseSize", Self.grouped(configuration.maximumResponseSize)
      ),
      (
        "Service/RetentionLimits",
        "\(Self.grouped(limits.resourceCount)), of \(Self.grouped(limits.byteCount))"
      ),
      ("PagedCollection/Options/prefetchDistance", "\(list.prefetchDistance) items"),
      ("PagedCollection/Options/concurrentLoads", "\(list.concurrentLoads)"),
      ("PagedCollection/Options/pageLimit", "\(Self.grouped(list.pageLimit)) pages"),
      ("PagedCollection/Options/itemLimit", "\(Self.grouped(list.itemLimit)) items"),
      ("PagedCollection/Options/emptyPageLimit", "\(list.emptyPageLimit)"),
      ("PagedCollection/Options/requestBudget", "\(list.requestBudget) pages"),
      ("Paginator/Options", "\(numbered.perPage), the first page is \(numbered.firstPageNumber)"),
      ("TransportConfiguration/maximumConnectionsPerHost", "\(wire.maximumConnectionsPerHost)"),
      ("TransportConfiguration/maximumRedirects", "\(wire.maximumRedirects)"),
    ] {
      let row = rows.first { $0.contains("``\(symbol)``") }
      #expect(row?.contains(value) == true, "\(symbol) is \(value), not \(row ?? "on the page")")
    }
  }

  private static func rows() throws -> [Substring] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Freshet/Freshet.docc/Defaults.md")
    return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("|") }
  }

  private static func seconds(_ duration: Duration) -> String {
    let count = duration.components.seconds
    return "\(count) second\(count == 1 ? "" : "s")"
  }

  private static func grouped(_ number: Int) -> String {
    number.formatted(.number.locale(Locale(identifier: "en_US")))
  }
}
