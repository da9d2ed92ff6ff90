/// The data of the demo: river gauges, generated from a seed, with values that a careless client
/// misreads.
struct DemoGauges: Sendable {
  struct Item: Sendable {
    let id: Int
    /// The item as one JSON object.
    let json: String
    /// A hash of `json`, for the validators.
    let digest: UInt64
    let revision: Int

    init(id: Int, seed: UInt64, revision: Int) {
      self.id = id
      self.revision = revision
      json = DemoGauges.json(id: id, seed: seed, revision: revision)
      digest = DemoGauges.digest(of: json)
    }
  }

  private(set) var items: [Item]
  private let seed: UInt64
  private var nextID: Int
  /// For each deleted id the one that was before it then, or nil for none: a cursor at a deleted
  /// item continues where the item was.
  private var deleted: [Int: Int?] = [:]

  init(seed: UInt64, count: Int) {
    self.seed = seed
    items = (0..<count).map { Item(id: $0 + 1, seed: seed, revision: 1) }
    nextID = count + 1
  }

  func index(of id: Int) -> Int? {
    // Ids count from 1, so an item is mostly at the index of its id. Any number may come from the wire.
    guard id >= 1 else { return nil }
    if items.indices.contains(id - 1), items[id - 1].id == id { return id - 1 }
    return items.firstIndex { $0.id == id }
  }

  /// The index after an item, which may have been deleted; nil for an id that never existed.
  func index(after id: Int) -> Int? {
    var id = id
    while let before = deleted[id] {
      guard let before else { return 0 }
      id = before
    }
    return index(of: id).map { $0 + 1 }
  }

  mutating func edit(id: Int) -> Bool {
    guard let index = index(of: id) else { return false }
    items[index] = Item(id: id, seed: seed, revision: items[index].revision + 1)
    return true
  }

  mutating func insert(at index: Int) -> Int {
    precondition(
      (0...items.count).contains(index),
      "DemoAPI.insert(at: \(index)): there are \(items.count) items")
    defer { nextID += 1 }
    items.insert(Item(id: nextID, seed: seed, revision: 1), at: index)
    return nextID
  }

  mutating func delete(id: Int) -> Bool {
    guard let index = index(of: id) else { return false }
    deleted[id] = .some(index == 0 ? nil : items[index - 1].id)
    items.remove(at: index)
    return true
  }

  /// Numbers are written digit by digit, without a formatter, so that all platforms write the same.
  private static func json(id: Int, seed: UInt64, revision: Int) -> String {
    var source = SplitMix(seed: seed &+ UInt64(id) &* 0x9E37_79B9)
    let river = source.pick(rivers)
    let station = source.pick(stations)
    let serial = 12_345_678_901_234_567_890 &- UInt64(id - 1)
    let note = source.pick(notes)
    var reading = SplitMix(seed: source.next() &+ UInt64(revision))
    let centimeters = reading.next() % 900
    let meters = "\(centimeters / 100).\(centimeters / 10 % 10)\(centimeters % 10)"
    let trend = reading.pick(["rising", "falling", "steady"])
    return """
      {"id":\(id),"river":"\(river)","station":"\(station) \(id)","serial":\(serial),\
      "level":{"meters":\(meters),"trend":"\(trend)","alarm":\(centimeters > 700)},\
      "gain":0.1,"tiny":1e-7,"note":\(note),"revision":\(revision)}
      """
  }

  private static let rivers = [
    "Vltava", "Rhône", "Łyna", "Þjórsá", "Ångermanälven", "Đà Rằng", "長江", "नर्मदा", "النيل",
    "Cafe\u{301} Creek", "R\\u00edo Tinto",
  ]
  private static let stations = [
    "Weir", "Old \\\"Bridge\\\"", "Mill\\/Lock", "Ферма", "🌊 Ford", "👩‍🔬 Lab", "Quai d’Orsay",
  ]
  private static let notes = [
    "null", "\"\"", "\"a\\tb\\nc\"", "\"\\ud83d\\ude00\"", "[1,[2,[]],{}]", "-0.0", "false",
  ]

  /// FNV-1a, 64 bit.
  static func digest(of text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// SplitMix64: small, seeded, and the same everywhere.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func pick(_ choices: [String]) -> String {
    choices[Int(next() % UInt64(choices.count))]
  }
}
