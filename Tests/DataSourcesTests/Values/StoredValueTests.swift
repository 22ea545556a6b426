import DataSources
import Testing

struct StoredValueTests {
  private func back<Value: StoredValue>(_ value: Value) throws -> Value? {
    try Value(storedBytes: try value.storedBytes(), of: value.storedType)
  }

  @Test func `L24: plain values carry their type and come back as they were`() throws {
    #expect(try back(true) == true)
    #expect(try back(Int64.min) == .min)
    #expect(try back(-7) == -7)
    #expect(try back(-0.1) == -0.1)
    #expect(try back("é\0") == "é\0")
    #expect(try back([1, 2]) == [1, 2])
    #expect(try back([UInt8]([0, 255])) == [0, 255])
    #expect(try back(["a": ["x"], "b": []]) == ["a": ["x"], "b": []])
    #expect([Int].fixedType == .list)
    #expect([UInt8].fixedType == .bytes)
    #expect([String: Int].fixedType == .dict)
  }

  @Test func `L24: through another type there is nothing`() throws {
    #expect(try Double(storedBytes: 1.storedBytes(), of: .int) == nil)
    #expect(try Int(storedBytes: 1.5.storedBytes(), of: .double) == nil)
    #expect(try [String](storedBytes: [1, 2].storedBytes(), of: .list) == nil)
    #expect(try [UInt8](storedBytes: [1].storedBytes(), of: .list) == nil)
    #expect(try [String: Int](storedBytes: ["a": "b"].storedBytes(), of: .dict) == nil)
  }

  @Test func `L8: damaged bytes are an error, whatever they are`() throws {
    let list = try ["a", "bc"].storedBytes()
    for place in list.indices {
      for byte in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
        var damaged = list
        damaged[place] = byte
        do {
          _ = try [String](storedBytes: damaged, of: .list)
        } catch {
          #expect(error.code == .serialization)
        }
      }
      #expect(throws: DataSourceError(.serialization)) {
        try [String](storedBytes: Array(list[..<place]), of: .list)
      }
    }
    #expect(throws: DataSourceError(.serialization)) {
      try [String](storedBytes: list + [0], of: .list)
    }
    #expect(throws: DataSourceError(.serialization)) { try Bool(storedBytes: [2], of: .bool) }
    #expect(throws: DataSourceError(.serialization)) { try Int(storedBytes: [2], of: .int) }
    #expect(throws: DataSourceError(.serialization)) {
      try String(storedBytes: [0xFF], of: .string)
    }
  }
}
