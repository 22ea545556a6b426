import Machine
import Testing

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the examples of FIPS 180-4 come out`(message: String, digest: String) {
    #expect(hex(SHA256.hash(message.utf8)) == digest)
  }

  @Test func `a message in pieces hashes as one, at every length around a block`() {
    for length in 50..<140 {
      let message = (0..<length).map { UInt8($0) }
      var hash = SHA256()
      for byte in message { hash.update([byte]) }
      #expect(hash.finish() == SHA256.hash(message))
    }
    let million = repeatElement(UInt8(ascii: "a"), count: 1000)
    var hash = SHA256()
    for _ in 0..<10 { hash.update(million) }
    #expect(
      hex(hash.finish()) == "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711")
  }

  @Test func `the examples of RFC 4231 come out`() {
    let cases: [(key: [UInt8], message: [UInt8], code: String)] = [
      (
        Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        Array(repeating: 0xaa, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ]
    for (key, message, code) in cases {
      #expect(hex(SHA256.authenticationCode(of: message, key: key)) == code)
    }
  }
}
