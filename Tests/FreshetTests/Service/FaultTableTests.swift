import Foundation
import Testing

@Suite("The table of faults")
struct FaultTableTests {
  /// The tests that hold each class of faults, by its number in `faults/faults.json` of the conformance data.
  ///
  /// Many hold more than one. For F54, `Tests/kill-cache` kills processes at any time too. Of F70, a wipe drops a late
  /// response of the user before. Without a wipe it is shown, but not as that of the new user: it is stale, is not
  /// confirmed with its validators, and is stored for the user before alone.
  static let tests: [Int: [String]] = [
    // Transport
    1: [
      "FaultClassTests.kept", "SystemTransportFaultTests.refused", "RetryEndTests.repeatable",
    ],
    2: ["FaultClassTests.unknownHost", "SystemTransportFaultTests.unknownHost"],
    3: [
      "FaultClassTests.kept", "SystemTransportFaultTests.brokenOff", "RetryEndTests.repeatable",
    ],
    4: ["FaultClassTests.kept", "SystemTransportFaultTests.brokenOff"],
    5: ["FaultClassTests.kept", "ResponseAssemblyTests.short"],
    6: ["FaultClassTests.kept", "SystemTransportFaultTests.brokenOff"],
    7: ["FaultClassTests.kept", "SystemTransportFaultTests.closeDelimited"],
    8: ["FaultClassTests.kept", "SystemTransportFaultTests.cutShort", "GunzipTests.truncated"],
    9: ["FaultClassTests.kept", "SystemTransportFaultTests.unknownCoding"],
    10: [
      "FaultClassTests.kept", "SystemTransportFaultTests.coded", "SystemTransportFaultTests.bomb",
      "WireConformanceTests.responses",
    ],
    11: [
      "FaultClassTests.kept", "SystemTransportFaultTests.announced",
      "SystemTransportFaultTests.unannounced",
    ],
    12: [
      "FaultClassTests.deadline", "SystemTransportCancellationTests.dripping",
      "DeadlineTests.deadline",
    ],
    13: [
      "FaultClassTests.deadline", "SystemTransportCancellationTests.stalled",
      "DeadlineTests.deadline",
    ],
    14: ["FaultClassTests.kept", "SystemTransportFaultTests.garbage"],
    15: ["FaultClassTests.kept", "ResponseAssemblyTests.lengths"],
    16: ["FaultClassTests.kept", "SystemTransportFaultTests.manyFields"],
    17: ["SystemTransportFaultTests.latin"],
    18: ["SystemTransportFaultTests.uploadOnDyingConnection", "IdempotencyKeyTests.sameKey"],
    19: ["SystemTransportFaultTests.unauthorized", "TokenRenewalTests.shared"],
    20: ["RetryLimitTests.backOnline", "ReloadTriggerTests.network"],
    21: ["SystemTransportFaultTests.withoutTLS", "TLSFailureTests.reasons", "TLSTests.untrusted"],
    22: ["SystemTransportFaultTests.interim"],
    // Redirects
    23: ["FaultClassTests.kept", "SystemTransportRedirectTests.loop"],
    24: ["SystemTransportRedirectTests.credentials", "RedirectPolicyTests.otherOrigin"],
    25: ["RedirectPolicyTests.downgrade"],
    26: ["FaultClassTests.kept", "SystemTransportRedirectTests.scheme"],
    27: ["SystemTransportRedirectTests.relative", "RedirectPolicyTests.resolution"],
    // Paging
    28: ["IncompleteWalkTests.refusedLink", "LinkOriginTests.varyingHeaders"],
    29: ["PageLinkTests.refused", "PageLinkTests.destination", "IncompleteWalkTests.refusedLink"],
    30: [
      "IncompleteWalkTests.loopOfRecognizedStyle", "PagedCollectionCornerTests.refreshIntoLoop",
    ],
    31: [
      "IncompleteWalkTests.maximumPages", "PagedCollectionLimitTests.itemLimit",
      "PagedCollectionWindowTests.scrolling",
    ],
    32: ["PagedCollectionEmptyPagesTests.limit", "PagedCollectionEmptyPagesTests.generous"],
    33: ["PagedCollectionIdentityTests.later", "PagedCollectionIdentityTests.insertedAtTop"],
    34: ["PagedCollectionGenerationTests.ownLoad", "PagedCollectionRefreshTests.reset"],
    35: ["PagedCollectionErrorTests.errorInTheMiddle"],
    36: [
      "LinkHeaderTests.malformedIsDropped", "LinkHeaderTests.unclosedQuotesAreLinear",
      "LinkHeaderConformanceTests.malformed", "LinkHeaderConformanceTests.hostile",
    ],
    // HTTP
    37: ["RevalidationTests.notModifiedWithoutData", "RevalidationTests.notModifiedTwice"],
    38: [
      "NotModifiedHeadersTests.merging", "ServerFreshnessTests.notModified",
      "CacheTestsStoreConformanceTests.inMemory",
    ],
    39: ["OlderResponseTests.cacheOnTheWay", "PreparedRequestTests.older"],
    40: ["FaultClassTests.kept"],
    41: ["VaryTests.memory", "VaryTests.persistent", "HTTPFreshnessTests.confirmedEachTime"],
    42: ["DiskCacheTests.noStore", "PersistentCacheTests.noStore", "CanaryTests.nowhere"],
    43: [
      "OriginPauseTests.waits", "RateLimitTests.skewed", "RetryEndTests.longRetryAfter",
      "RetryAfterTests.delays", "RetryAfterTests.othersAreRefused",
      "DateStoreConformanceTests.retryAfter", "RetryPolicyTests.matchesModel",
    ],
    44: [
      "RetryPolicyTests.matchesModel", "RetryLimitTests.sickServer",
      "ResponseFreshnessTests.afterError",
    ],
    45: ["DeadlineTests.unsafeMethods", "RetryEndTests.repeatable"],
    46: [
      "FaultClassTests.kept", "PreparedRequestTests.noRetry", "RetryPolicyTests.matchesModel",
      "ErrorPageTests.kinds", "SystemTransportFaultTests.errorBody",
    ],
    47: [
      "FaultClassTests.kept", "DecodingTests.mediaTypes", "DecodingTests.misfits",
      "DecodingTests.latin1JSON",
    ],
    48: [
      "FaultClassTests.kept", "DecodingTests.deepNesting", "JSONTextValueTests.duplicates",
      "JSONTextSyntaxTests.refused", "JSONTextSyntaxTests.mutations",
    ],
    49: [
      "SystemTransportFaultTests.injection", "RequestValidationTests.values",
      "RequestValidationTests.names",
    ],
    // Clocks
    50: ["PersistentCacheTests.staleEntry", "FreshnessTests.dateDoesNotCount"],
    51: [
      "PersistentCacheTests.staleEntry", "DiskCacheTests.anyDate", "RateLimitTests.skewed",
      "RetryAfterTests.delays", "FreshnessTests.dateDoesNotCount",
    ],
    52: ["CacheControlTests.hugeTimes", "HTTPFreshnessTests.initialAge"],
    // Disks
    53: ["DiskCacheFaultTests.fullDisk", "DiskCacheFailureTests.fullDisk"],
    54: [
      "DiskCacheProcessTests.killed", "DiskCacheFaultTests.writing",
      "DiskCacheTests.temporaryFiles",
    ],
    55: ["DiskCacheDamageTests.damage", "DiskCacheEntryTests.flipped"],
    56: ["DiskCacheDamageTests.damage", "DiskCacheEntryTests.version"],
    57: ["DiskCacheTests.removedFolder"],
    58: [
      "DiskCacheFailureTests.readOnlyDisk", "DiskCacheTests.noFolder",
      "DiskCacheDamageTests.damage",
    ],
    59: [
      "DiskCacheProcessTests.random", "DiskCacheProcessTests.changes", "DiskCacheProcessTests.wipe",
      "DiskCacheTests.severalCaches", "DiskCacheRandomTests.shared",
    ],
    60: ["DiskCacheDamageTests.damage", "ResourceKeyDigestTests.parts"],
    61: ["DiskCacheTests.files", "ResourceKeyDigestTests.form"],
    62: [
      "DiskCacheTests.leastRecentlyUsed", "DiskCacheRandomTests.model",
      "DiskCacheQueueTests.evictedWhileRead",
    ],
    63: ["DiskCacheQueueTests.actor", "DiskCacheQueueTests.busy"],
    // Concurrency
    64: ["AwaitedLoadTests.hundredTasks", "FreshnessTests.coalesce"],
    65: ["UnobservedLoadTests.lastObserver", "ResourceLifetimeTests.dropDuringLoad"],
    66: [
      "SystemTransportCancellationTests.anywhere", "CancellingLoadsTests.cancelLeavesData",
      "CurlTransportTests.outcome", "ResourceStateModelTests.matchesModel",
    ],
    67: ["EventOrderTests.causalOrder", "ObserverTests.removedDuringDelivery"],
    68: ["AsyncSequenceTests.slowReader", "EventOrderTests.stateIsComplete"],
    69: ["LocalChangesTests.overrideBeatsResponse"],
    70: [
      "SessionBoundaryTests.renewedThenOtherUser", "AccountTests.entry",
      "UserChangeTests.otherLoad",
      "LocalChangesTests.wipeClears", "SharedCacheTests.lateResponse",
    ],
    // Memory
    71: ["MemoryLimitTests.limited", "EvictionTests.unused"],
    72: ["MemoryLimitTests.bounded", "RegistryScaleTests.bounded"],
    // Privacy
    73: ["CanaryTests.nowhere", "SecrecyTests.nothingIsShown", "RedactionTests.urls"],
    74: ["DiskCacheTests.cookies", "DiskCacheEntryTests.requestSecrets", "AccountTests.reported"],
    75: ["DiskCacheTests.umasks", "DiskCacheTests.files"],
  ]

  @Test("has all 75 classes, and each names tests that exist")
  func complete() throws {
    #expect(Self.tests.keys.sorted() == Array(1...75))
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var sources: [String: String] = [:]
    for case let file as URL in files where file.pathExtension == "swift" {
      let name = file.deletingPathExtension().lastPathComponent
      sources[name] = try String(contentsOf: file, encoding: .utf8)
    }
    for (number, tests) in Self.tests {
      #expect(!tests.isEmpty, "F\(number)")
      for test in tests {
        let parts = test.split(separator: ".").map(String.init)
        let source = sources[parts[0]] ?? ""
        #expect(
          source.contains("struct \(parts[0]) ") && source.contains("func \(parts[1])("),
          "F\(number): there is no \(test)")
      }
    }
  }

  @Test("has the classes of the conformance data", .enabled(if: Conformance.isAvailable))
  func conformance() throws {
    struct Faults: Decodable {
      struct Fault: Decodable {
        let id: String
      }

      let faults: [Fault]
    }
    let ids = try Conformance.load("faults/faults.json", as: Faults.self).faults.map(\.id)
    #expect(ids == Self.tests.keys.sorted().map { $0 < 10 ? "F0\($0)" : "F\($0)" })
  }
}
