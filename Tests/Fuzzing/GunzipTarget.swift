#if os(Linux)
  /// Decodes gzip, whole and in pieces, with and without a limit.
  func fuzzGunzip(_ input: FuzzInput) {
    var input = input
    let (seed, limit) = (input.byte(), Int(input.byte()) << 6)
    let data = input.bytes
    let whole = decode([data])
    require(decode(data.pieces(seed)) == whole, "pieces are decoded as something else")
    let limited = decode([data], limit: limit)
    require(limited.bytes.count <= limit, "the result has more bytes than the limit")
    require(
      whole.bytes.count > limit ? limited.end == "too large" : limited == whole,
      "a limit of \(limit) for \(whole) leads to \(limited)")
    require(
      decode(data.pieces(seed), limit: limit).end == limited.end, "pieces have another limit")
    // Stored blocks are decoded as they are.
    let stored = decode(
      StoredGzip.member(Array(data.prefix(500)), blockSize: Int(seed) + 1)[...].pieces(seed))
    require(stored == Decoded(bytes: data.prefix(500), end: "complete"), "stored: \(stored)")
  }

  private struct Decoded: Equatable {
    var bytes: ArraySlice<UInt8> = []
    var end = ""
  }

  private struct TooLarge: Error {}

  private func decode(_ pieces: [ArraySlice<UInt8>], limit: Int = .max) -> Decoded {
    guard let zlib = try? CurlLibrary.system.get().zlib, let gunzip = Gunzip(zlib) else {
      fail("there is no zlib")
    }
    var decoded = Decoded()
    do {
      for piece in pieces {
        try piece.withUnsafeBytes { bytes in
          try gunzip.decode(bytes) { part in
            guard part.count <= limit - decoded.bytes.count else { throw TooLarge() }
            decoded.bytes += part
          }
        }
      }
      try gunzip.finish()
      decoded.end = "complete"
    } catch is TooLarge {
      decoded.end = "too large"
    } catch {
      decoded.end = "\(error)"
    }
    return decoded
  }
#else
  func fuzzGunzip(_ input: FuzzInput) {}
#endif
