/// The hash function SHA-256, FIPS 180-4: a pure value, the same everywhere.
///
/// Written here because Linux has no CryptoKit. It names files and protects no secret, so it is not
/// hardened against timing.
struct SHA256 {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
  )
  /// The input after its last whole block: less than a block.
  private var rest: [UInt8] = []
  /// How many bytes were hashed.
  private var count: UInt64 = 0

  private static let blockSize = 64

  /// Hashes more bytes, after the earlier ones.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var bytes = bytes[...]
    if !rest.isEmpty {
      let missing = bytes.prefix(Self.blockSize - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      guard rest.count == Self.blockSize else { return }
      let block = rest
      block.withUnsafeBytes { compress($0) }
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count >= Self.blockSize {
      compress(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.blockSize)))
      bytes = bytes.dropFirst(Self.blockSize)
    }
    rest += bytes
  }

  /// The hash of all bytes: 32 of them, as 64 lower-case hexadecimal digits.
  ///
  /// More bytes may follow afterwards.
  var hexadecimal: String {
    var padded = self
    // A one bit, zeros, and the length in bits, so that the last block is a whole one.
    let zeros = (2 * Self.blockSize - 9 - rest.count) % Self.blockSize
    let padding: [UInt8] = [0x80] + Array(repeating: 0, count: zeros)
    padding.withUnsafeBytes { padded.update($0) }
    withUnsafeBytes(of: (count &* 8).bigEndian) { padded.update($0) }
    let (a, b, c, d, e, f, g, h) = padded.state
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for word in [a, b, c, d, e, f, g, h] {
      for shift in stride(from: 28, through: 0, by: -4) {
        text.append(digits[Int(word >> UInt32(shift) & 0xf)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Mixes a block into the state, section 6.2.2.
  private mutating func compress(_ block: UnsafeRawBufferPointer) {
    let constants = Self.constants
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for t in 0..<16 {
        let word = block.loadUnaligned(fromByteOffset: 4 * t, as: UInt32.self)
        schedule.initializeElement(at: t, to: UInt32(bigEndian: word))
      }
      for t in 16..<64 {
        let (early, late) = (schedule[t - 15], schedule[t - 2])
        let first = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ (early >> 3)
        let second = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ (late >> 10)
        schedule.initializeElement(
          at: t, to: schedule[t - 16] &+ first &+ schedule[t - 7] &+ second)
      }
      var (a, b, c, d, e, f, g, h) = state
      for t in 0..<64 {
        let sum = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
        let first = h &+ sum &+ ((e & f) ^ (~e & g)) &+ constants[t] &+ schedule[t]
        let other = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
        let second = other &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
      state = (
        state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d,
        state.4 &+ e, state.5 &+ f, state.6 &+ g, state.7 &+ h
      )
    }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
