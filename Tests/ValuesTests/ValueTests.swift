import Testing
import Values

struct ValueTests {
  @Test func `L69: same type and same content are equal, an int never equals a double`() {
    #expect(Value.int(1) == .int(1))
    #expect(Value.int(1) != .double(1))
    #expect(Value.int(1) != .time(1))
    #expect(Value.bool(true) != .int(1))
    #expect(Value.none == .none)
    #expect(Value.string("1") != .bytes([0x31]))
    #expect(Value.list([]) != .dictionary([:]))
  }

  @Test func `L69: NaN equals NaN and both zeros are one, in values, vectors and hashes`() {
    let otherNaN = Double(bitPattern: Double.nan.bitPattern ^ 1)
    #expect(otherNaN.isNaN)
    let equal: [(Value, Value)] = [
      (.double(.nan), .double(otherNaN)),
      (.double(0.0), .double(-0.0)),
      (.vector(Vector(.nan, 0.0)), .vector(Vector(otherNaN, -0.0))),
      (.list([.double(.nan)]), .list([.double(otherNaN)])),
      (.dictionary(["a": .double(-0.0)]), .dictionary(["a": .double(0.0)])),
    ]
    for (left, right) in equal {
      #expect(left == right)
      #expect(left.hashValue == right.hashValue)
      #expect(Set([left, right]).count == 1)
    }
  }

  @Test func `L69: texts are equal only byte by byte`() {
    let composed = Value.string("\u{E9}")
    let decomposed = Value.string("e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `L69: vectors of different lengths differ`() {
    #expect(Value.vector(Vector(1, 2)) != .vector(Vector(1, 2, 0)))
    #expect(Value.vector(Vector(1, 2, 3)) == .vector(Vector(1, 2, 3)))
  }

  @Test func `types are numbered as in the C API`() {
    let samples: [Value] = [
      .none, .bool(true), .int(1), .double(1), .vector(Vector(1, 2)), .string(""), .bytes([]),
      .time(0), .dictionary([:]), .list([]),
    ]
    #expect(samples.map(\.type.rawValue) == Array(0...9))
    #expect(samples.map(\.type) == ValueType.allCases)
  }

  @Test func `a value fits forty bytes`() {
    #expect(MemoryLayout<Value>.stride <= 40)
  }

  @Test func `the convenience accessors answer for their type alone`() {
    #expect(Value.int(3).number == 3)
    #expect(Value.double(0.5).number == 0.5)
    #expect(Value.time(3).number == nil)
    #expect(Value.string("a").text == "a")
    #expect(Value.bytes([1]).text == nil)
    #expect(Value.vector(Vector(1, 2)).vector == Vector(1, 2))
    #expect(Value.list([.double(1)]).vector == nil)
  }
}

struct VectorTests {
  @Test func `a vector has two to four components`() {
    #expect(Vector([1.0]) == nil)
    #expect(Vector([Double]()) == nil)
    #expect(Vector([1.0, 2, 3, 4, 5]) == nil)
    for count in 2...4 {
      let components = (1...count).map(Double.init)
      #expect(Vector(components)?.components == components)
      #expect(Vector(components)?.count == count)
    }
  }

  @Test func `a component outside is nil`() {
    let vector = Vector(1, 2, 3)
    #expect(vector[0] == 1)
    #expect(vector[2] == 3)
    #expect(vector[3] == nil)
    #expect(vector[-1] == nil)
    #expect(vector.z == 3)
    #expect(vector.w == nil)
    #expect(Vector(1, 2).z == nil)
    #expect(Vector(1, 2, 3, 4).w == 4)
  }

  @Test func `mapping keeps the length`() {
    #expect(Vector(1, 2).map { $0 * 2 } == Vector(2, 4))
    #expect(Vector(1, 2, 3, 4).map { -$0 } == Vector(-1, -2, -3, -4))
  }
}
