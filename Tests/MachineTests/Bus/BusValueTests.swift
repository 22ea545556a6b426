import GatheredKitTesting
import Machine
import Testing

/// Values travel to a service and back as they are.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct BusValueTests {
  static let values: [BusValue] = [
    .bool(true), .byte(255), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
    .int64(.min), .uint64(.max), .double(-0.5), .string("Grüße"), .path("/a/b"),
    .signature("a{sv}"), .array(of: "s", [.string("a"), .string("")]), .array(of: "i", []),
    .array(of: "ai", [.array(of: "i", [.int32(1)]), .array(of: "i", [])]),
    .dictionary(of: "sv", [BusPair(.string("k"), .variant(.uint32(7)))]),
    .dictionary(of: "ia{sd}", [BusPair(.int32(1), .dictionary(of: "sd", []))]),
    .structure([.string("x"), .structure([.bool(false), .byte(1)])]),
    .bytes([0, 1, 255]), .bytes([]),
  ]

  @Test func `every type is written and read`() throws {
    let bus = try PrivateBus()
    let name = "org.example.Echo"
    let mock = try bus.mock(name, "/", name)
    for value in Self.values {
      let type = value.typeSignature
      try bus.tell(
        name, "/", "AddMethod", .string(name), .string("Echo"), .string(type), .string(type),
        .string("ret = args[0]"))
      #expect(try bus.tell(name, "/", "Echo", value, interface: name) == [value])
    }
    withExtendedLifetime(mock) {}
  }

  @Test func `a huge answer is refused, and a deep one`() throws {
    let bus = try PrivateBus()
    let name = "org.example.Huge"
    let mock = try bus.mock(name, "/", name)
    let methods = [
      ("Wide", "as", "ret = ['x'] * 300000"), ("Many", "as", "ret = ['x'] * 100000"),
      ("Bytes", "ay", "ret = dbus.ByteArray(b'x' * 1000000)"),
    ]
    for (method, type, code) in methods {
      try bus.tell(
        name, "/", "AddMethod", .string(name), .string(method), .string(""), .string(type),
        .string(code))
    }
    #expect(try bus.tell(name, "/", "Many", interface: name).first?.texts?.count == 100_000)
    #expect(try bus.tell(name, "/", "Bytes", interface: name).first?.bytes?.count == 1_000_000)
    #expect(throws: BusFailure.self) { try bus.tell(name, "/", "Wide", interface: name) }
    // It is the answer that is refused, not the service.
    #expect(try bus.tell(name, "/", "Many", interface: name).count == 1)
    withExtendedLifetime(mock) {}
  }

  @Test func `plain values are found through variants, and no others`() {
    let value = BusValue.variant(.variant(.int32(4)))
    #expect(value.integer == 4)
    #expect(value.double == nil && value.text == nil && value.flag == nil)
    #expect(BusValue.uint64(.max).integer == nil)
    #expect(BusValue.array(of: "v", [.string("a"), .int32(1)]).texts == nil)
    let named = BusValue.dictionary(of: "sv", [BusPair(.string("a"), value)]).named
    #expect(named == ["a": .int32(4)])
    #expect(BusValue.dictionary(of: "iv", [BusPair(.int32(1), value)]).named == nil)
    #expect("\(BusValue.structure([.string("a"), .bytes([1, 2])]))" == "(a, 1 2)")
  }
}
