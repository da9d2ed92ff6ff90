import Testing

@testable import Freshet

@Suite("The order of use of the files of a cache")
struct DiskCacheIndexTests {
  @Test("It is that of a naive list, whatever happens", arguments: 0..<50)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = DiskCacheIndex()
    var model: [(name: String, byteCount: Int)] = []
    for _ in 0..<300 {
      let name = "\(Int.random(in: 0..<12, using: &random))"
      let known = model.firstIndex { $0.name == name }
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        index.remove(name)
        model.removeAll { $0.name == name }
      case 1:
        index.use(name, byteCount: nil)
        if let known { model.append(model.remove(at: known)) }
      case 2:
        let limit = Int.random(in: 0...60, using: &random)
        var evicted: [String] = []
        while model.reduce(0, { $0 + $1.byteCount }) > limit {
          evicted.append(model.removeFirst().name)
        }
        #expect(index.evict(to: limit) == evicted, "seed \(seed)")
      default:
        let size = Int.random(in: 0...20, using: &random)
        index.use(name, byteCount: size)
        if let known { model.remove(at: known) }
        model.append((name, size))
      }
      index.checkInvariants()
      #expect(index.names == model.map(\.name), "seed \(seed)")
      #expect(index.byteCount == model.reduce(0) { $0 + $1.byteCount }, "seed \(seed)")
      #expect(index.count == model.count, "seed \(seed)")
    }
    #expect(DiskCacheIndex(model).names == model.map(\.name))
  }
}
