import Foundation

/// What one run of libFuzzer feeds.
///
/// A target is to survive all bytes, and to keep the properties that it checks by ``require(_:_:)``.
enum FuzzTarget: String, CaseIterable {
  case cacheEntry, curlTransport, gunzip, httpDate, jsonText, linkHeader, pageLink, pageStyle,
    responseHead

  func run(_ input: FuzzInput) {
    switch self {
    case .cacheEntry: fuzzCacheEntry(input)
    case .curlTransport: fuzzCurlTransport(input)
    case .gunzip: fuzzGunzip(input)
    case .httpDate: fuzzHTTPDate(input)
    case .jsonText: fuzzJSONText(input)
    case .linkHeader: fuzzLinkHeader(input)
    case .pageLink: fuzzPageLink(input)
    case .pageStyle: fuzzPageStyle(input)
    case .responseHead: fuzzResponseHead(input)
    }
  }

  /// The one that the environment names.
  static let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FRESHET_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fail("FRESHET_FUZZ_TARGET is one of \(allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
  }()
}

/// What libFuzzer calls before all runs.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer
) -> CInt {
  _ = FuzzTarget.chosen
  return 0
}

/// What libFuzzer calls for each run.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.chosen.run(
    FuzzInput(bytes: Array(UnsafeBufferPointer(start: start, count: count))[...]))
  return 0
}

/// Stops with a message, which an optimized `precondition` does not print, unless a property holds.
func require(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fail(message()) }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("Property does not hold: \(message)\n".utf8))
  abort()
}
