#if os(Linux)
  internal import FreshetCurl

  /// Decodes gzip data of any number of members, and zlib data, piece by piece.
  ///
  /// Each member ends with a checksum and a size, which have to be right. What follows the last
  /// member has to be another one. An object, because zlib keeps a pointer to its stream.
  final class Gunzip {
    /// Why data cannot be decoded.
    enum Corruption: Error {
      /// The stream is not gzip, or a checksum, a size or what follows is wrong.
      case malformed
      /// The stream ends within a member.
      case truncated
    }

    private let stream: OpaquePointer
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
    private var isAtEndOfMember = false
    private var isEmpty = true

    /// Creates a decoder; nil if there is no memory for it.
    init?(_ zlib: OpaquePointer) {
      guard let stream = freshet_inflate_new(zlib) else {
        buffer.deallocate()
        return nil
      }
      self.stream = stream
    }

    deinit {
      freshet_inflate_free(stream)
      buffer.deallocate()
    }

    /// Decodes a piece of the data, and calls `receive` with each piece of the result.
    ///
    /// - Throws: ``Corruption``, or what `receive` throws; the decoder cannot be used after that.
    func decode(
      _ piece: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      var rest = piece
      var isFull = false
      if !piece.isEmpty { isEmpty = false }
      while !rest.isEmpty || isFull {
        if isAtEndOfMember {
          guard !rest.isEmpty else { return }
          freshet_inflate_reset(stream)
          isAtEndOfMember = false
        }
        var consumed = UInt32(clamping: rest.count)
        var produced = UInt32(clamping: buffer.count)
        guard let output = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let status = freshet_inflate_step(
          stream, rest.baseAddress?.assumingMemoryBound(to: UInt8.self), &consumed, output,
          &produced)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(consumed)))
        isFull = Int(produced) == buffer.count
        if produced > 0 {
          try receive(UnsafeRawBufferPointer(rebasing: buffer[..<Int(produced)]))
        }
        switch status {
        case FRESHET_INFLATE_END: isAtEndOfMember = true
        case FRESHET_INFLATE_OK where consumed > 0 || produced > 0: break
        case FRESHET_INFLATE_OK where rest.isEmpty: return
        default: throw Corruption.malformed
        }
      }
    }

    /// Ends the data.
    ///
    /// No data at all is an empty body, which some servers label as compressed.
    ///
    /// - Throws: ``Corruption/truncated`` if the last member is not complete.
    func finish() throws(Corruption) {
      guard isAtEndOfMember || isEmpty else { throw .truncated }
    }
  }
#endif
