import Foundation
import Testing

@testable import Freshet

@Suite("SHA-256", .standardTimeLimit)
struct SHA256Tests {
  private func hash(_ bytes: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    Array(bytes).withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal
  }

  /// The bytes 0…250, again and again.
  private func sample(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8($0 % 251) }
  }

  @Test(
    "The examples of FIPS 180 are hashed as listed",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func examples(text: String, digits: String) {
    #expect(hash(text.utf8) == digits)
  }

  @Test(
    "Lengths around the end of a block are padded right",
    arguments: [
      (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
      (55, "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"),
      (56, "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"),
      (57, "2fe741af801cc238602ac0ec6a7b0c3a8a87c7fc7d7f02a3fe03d1c12eac4d8f"),
      (63, "29af2686fd53374a36b0846694cc342177e428d1647515f078784d69cdb9e488"),
      (64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"),
      (65, "4bfd2c8b6f1eec7a2afeb48b934ee4b2694182027e6d0fc075074f2fabb31781"),
      (111, "60780e9451bdc43cf4530ffc95cbb0c4eb24dae2c39f55f334d679e076c08065"),
      (112, "09373f127d34e61dbbaa8bc4499c87074f2ddb10e1b465f506d7d70a15011979"),
      (119, "da18797ed7c3a777f0847f429724a2d8cd5138e6ed2895c3fa1a6d39d18f7ec6"),
      (120, "f52b23db1fbb6ded89ef42a23ce0c8922c45f25c50b568a93bf1c075420bbb7c"),
      (127, "92ca0fa6651ee2f97b884b7246a562fa71250fedefe5ebf270d31c546bfea976"),
      (128, "471fb943aa23c511f6f72f8d1652d9c880cfa392ad80503120547703e56a2be5"),
      (129, "5099c6a56203f9687f7d33f4bfdf576d31dc91f6b695ecea38b2770c87631135"),
      (1000, "4e4c294b331f7a2099a379bec34b9f9fc03dc46ab465d998f4d683da53487e6d"),
    ])
  func blocks(count: Int, digits: String) {
    #expect(hash(sample(count)) == digits)
  }

  @Test("All lengths up to 300 are hashed right")
  func lengths() {
    let all = (0...300).map { hash(sample($0)) }.joined()
    #expect(hash(all.utf8) == "b80fadb149bc8cb5eeb5c5cb543942b4b72871d6b176e21baa5c60f6198e4122")
  }

  @Test("Where the input is cut makes no difference", arguments: 1...50 as ClosedRange<UInt64>)
  func cuts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = sample(Int.random(in: 0...500, using: &random))
    var cut = SHA256()
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + random.pick([0, 1, 7, 63, 64, 65, 200]))
      bytes[position..<end].withUnsafeBytes { cut.update($0) }
      position = end
      #expect(cut.hexadecimal == hash(bytes[..<end]), "seed \(seed), \(end) bytes")
    }
  }
}
