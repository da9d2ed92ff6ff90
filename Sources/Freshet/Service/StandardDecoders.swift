/// The decoders of content types for which none is named.
struct StandardDecoders {
  private var index = HashIndex()
  private var decoders: [AnyDecoder] = []

  /// The decoder of a type of content, if there is one already.
  subscript(type: ObjectIdentifier) -> AnyDecoder? {
    index.first(hash: type.quickHash) { decoders[Int($0)].contentType == type }
      .map { decoders[Int($0)] }
  }

  /// Takes in the decoder of a type that has none.
  mutating func add(_ decoder: AnyDecoder) {
    index.insert(Int32(decoders.count), hash: decoder.contentType.quickHash)
    decoders.append(decoder)
  }
}
