import Testing

@testable import Freshet

@Suite("The decoders of types for which none is named")
struct StandardDecodersTests {
  @Test("Each type has its own")
  func eachTypeHasItsOwn() {
    let decoders: [AnyDecoder] = [
      ContentDecoder<Int>.standard.erased, ContentDecoder<String>.standard.erased,
      ContentDecoder<[Int]>.standard.erased, ContentDecoder<[String: Bool]>.standard.erased,
    ]
    var table = StandardDecoders()
    for decoder in decoders.dropLast() { table.add(decoder) }
    for decoder in decoders.dropLast() { #expect(table[decoder.contentType] === decoder) }
    #expect(decoders.last.map { table[$0.contentType] == nil } == true)
  }
}
