/// The SHA-256 hash function (FIPS 180-4).
public struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  /// A hash of nothing yet.
  public init() {}

  /// The 32 bytes of the hash of a message.
  public static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(message)
    return hash.finish()
  }

  /// Appends bytes to the message.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      pending.append(byte)
      length &+= 8
      if pending.count == Self.blockSize { compress() }
    }
  }

  /// The 32 bytes of the hash of all that was appended.
  public consuming func finish() -> [UInt8] {
    let bitLength = length
    pending.append(0x80)
    if pending.count == Self.blockSize { compress() }
    while pending.count != Self.blockSize - 8 {
      pending.append(0)
      if pending.count == Self.blockSize { compress() }
    }
    for shift in stride(from: 56, through: 0, by: -8) {
      pending.append(UInt8(truncatingIfNeeded: bitLength >> UInt64(shift)))
    }
    compress()
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// The bytes of a block.
  static let blockSize = 64

  private mutating func compress() {
    let schedule = Self.schedule(of: pending)
    pending.removeAll(keepingCapacity: true)
    var words = state
    for round in 0..<64 {
      let mix = words[4].rotated(6) ^ words[4].rotated(11) ^ words[4].rotated(25)
      let choice = (words[4] & words[5]) ^ (~words[4] & words[6])
      let first = words[7] &+ mix &+ choice &+ Self.constants[round] &+ schedule[round]
      let turn = words[0].rotated(2) ^ words[0].rotated(13) ^ words[0].rotated(22)
      let majority = (words[0] & words[1]) ^ (words[0] & words[2]) ^ (words[1] & words[2])
      words.removeLast()
      words[3] = words[3] &+ first
      words.insert(first &+ turn &+ majority, at: 0)
    }
    for index in state.indices { state[index] = state[index] &+ words[index] }
  }

  private static func schedule(of block: [UInt8]) -> [UInt32] {
    var words = stride(from: 0, to: blockSize, by: 4).map { start in
      block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let near = words[index - 15]
      let far = words[index - 2]
      let small = near.rotated(7) ^ near.rotated(18) ^ (near >> 3)
      let large = far.rotated(17) ^ far.rotated(19) ^ (far >> 10)
      words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
    }
    return words
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}

extension SHA256 {
  /// The 32 bytes of HMAC-SHA-256 (RFC 2104) of a message under a key.
  public static func authenticationCode(
    of message: some Sequence<UInt8>, key: some Collection<UInt8>
  ) -> [UInt8] {
    var block = key.count > blockSize ? hash(key) : Array(key)
    block += repeatElement(0, count: blockSize - block.count)
    var inner = SHA256()
    inner.update(block.map { $0 ^ 0x36 })
    inner.update(message)
    return hash(block.map { $0 ^ 0x5c } + inner.finish())
  }
}
