import Machine
import Testing

@Suite struct ScanFormatTests {
  @Test(arguments: ["le", "be"], ["s", "u"])
  func `every part of a format is understood`(order: String, sign: String) throws {
    for storage in stride(from: 8, through: 64, by: 8) {
      for (bits, shift, repeats) in [(1, 0, 1), (storage, 0, 4), (storage - 1, 1, 2)] {
        let number = repeats > 1 ? "X\(repeats)" : ""
        let text = "\(order):\(sign)\(bits)/\(storage)\(number)>>\(shift)\n"
        let format = try ScanFormat(text.utf8)
        let expected = try ScanFormat(
          isBigEndian: order == "be", isSigned: sign == "s", bits: bits, storage: storage,
          shift: shift, repeats: repeats)
        #expect(format == expected)
        #expect(format.size == storage / 8 * repeats)
      }
    }
  }

  @Test func `an upper-case sign and a missing shift mean what they meant before`() throws {
    #expect(try ScanFormat("le:S12/16>>0".utf8) == ScanFormat("le:s12/16".utf8))
    #expect(try ScanFormat(" be:U8/8\r\n".utf8) == ScanFormat("be:u8/8>>0".utf8))
  }

  @Test(arguments: [
    "", "\n", "le", "le:", "xe:s8/8>>0", "le:f32/32>>0", "le:s0/16>>0", "le:s17/16>>0",
    "le:s8/0>>0", "le:s8/12>>0", "le:s64/72>>0", "le:s128/128>>0", "le:s16/16>>16",
    "le:s16/16X0>>0", "le:s16/16X257>>0", "le:s16/16X999999999999999999999>>0",
    "le:s16/16>>99999999999999999999", "le:s-1/16>>0", "le:s16/16>>-1", "le:s16/16>>0 x",
    "le:s16/16>", "le:s16", "le: s16/16>>0", "le:s16/16X>>0", "LE:s16/16>>0",
  ])
  func `nonsense is refused with a reason`(text: String) {
    let error = #expect(throws: ScanFormatError.self) { _ = try ScanFormat(text.utf8) }
    #expect(error?.reason.isEmpty == false)
  }
}
