#if os(Linux)
  internal import FreshetCurl

  /// The system's libcurl, opened once for the process, and zlib with it.
  ///
  /// `@unchecked`: the pointers lead to tables of functions that never change, and the functions may
  /// be called from any thread.
  struct CurlLibrary: @unchecked Sendable {
    let curl: OpaquePointer
    /// zlib; nil if there is none, and no compressed response can be accepted.
    let zlib: OpaquePointer?
    /// Such as `7.88.1`.
    let version: String

    /// Why there is no libcurl that can be used.
    struct Missing: Error {
      let reason: String
    }

    /// The oldest version that has what is needed: `curl_multi_wakeup` came with it.
    static let oldestVersion: UInt32 = 0x07_44_00

    private static let opened = CurlLock<CurlLibrary?>(nil)

    /// The library of the system, or why it cannot be opened now: a process that has no descriptor left for it may
    /// have one later.
    static var system: Result<CurlLibrary, any Error> {
      opened.withLock { opened in
        Result {
          let library = try opened ?? CurlLibrary(curl: "libcurl.so.4", zlib: "libz.so.1")
          opened = library
          return library
        }
      }
    }

    /// Opens the libraries of these names.
    ///
    /// - Throws: ``Missing`` if there is no libcurl, or none that is new enough.
    init(curl name: String, zlib zlibName: String) throws {
      var reason = [CChar](repeating: 0, count: 512)
      guard let curl = freshet_curl_open(name, &reason, reason.count) else {
        let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw Missing(reason: String(decoding: text, as: UTF8.self))
      }
      version = String(cString: freshet_curl_version_text(curl))
      guard CurlLibrary.isNewEnough(freshet_curl_version(curl)) else {
        throw Missing(reason: "\(name) has the version \(version)")
      }
      self.curl = curl
      zlib = freshet_zlib_open(zlibName)
    }

    /// Whether a version, as `0xMMmmpp`, has what is needed.
    static func isNewEnough(_ version: UInt32) -> Bool { version >= oldestVersion }
  }
#endif
