import GatheredKitTesting
import Gathering
import Ground
import Values

/// Rows of samples of every type, status, flag and clock, the same in every run.
struct RandomRows {
  var generator: SeededGenerator
  let properties: Int
  private var last: [Sample] = []
  private var now: Int64 = 1_000_000_000

  init(seed: UInt64, properties: Int) {
    generator = SeededGenerator(seed: seed)
    self.properties = properties
  }

  mutating func next() -> [Sample] {
    now += Int64.random(in: 0...20_000_000, using: &generator)
    last = (0..<properties).map { index in
      // Many values stay as they were; some come again, as a reading that brings no news does.
      if last.indices.contains(index), chance(3) {
        var sample = last[index]
        sample.flags.remove([.isNew, .gap])
        if chance(2) { (sample.time, sample.realtime) = (now, now + 5) }
        return sample
      }
      return sample(of: index)
    }
    return last
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &generator) == 0
  }

  private mutating func sample(of index: Int) -> Sample {
    let status =
      chance(4) ? ValueStatus(rawValue: UInt32.random(in: 0...5, using: &generator)) ?? .ok : .ok
    let absence =
      status == .ok
      ? nil
      : Absence(
        ["none", "é", "e\u{301}", ""].randomElement(using: &generator) ?? "",
        errno: Int32.random(in: -1...3, using: &generator), remedy: chance(2) ? "wait" : "")
    let stray = chance(5) ? Int64.random(in: .min ... .max, using: &generator) : 0
    var sample = Sample(
      status.hasPayload ? value(of: index) : .none, status: status,
      flags: SampleFlags(rawValue: UInt32.random(in: 0...15, using: &generator)),
      time: chance(4) ? now &- Int64.random(in: 0...9, using: &generator) &+ stray : now,
      realtime: chance(6) ? 0 : now &+ 5,
      sequence: UInt64.random(in: 0 ... .max, using: &generator), absence: absence)
    let origins: [ClockOrigin] = [.hardware, .kernel, .library]
    sample.clockOrigin = origins.randomElement(using: &generator) ?? .library
    return sample
  }

  private mutating func value(of index: Int) -> Value {
    // A property keeps to its type, but the last one: it has any.
    let type = index == properties - 1 ? Int.random(in: 0..<10, using: &generator) : index
    let number = ColumnTests.doubles(seed: UInt64(index) * 7 + 5).randomElement(using: &generator)
    let double = number ?? Double.random(in: -1...1, using: &generator)
    switch type % 10 {
    case 0: return .double(Double(Int.random(in: -500...500, using: &generator)) * 0.25)
    case 1: return .vector(Vector(double, -0.0, Double.random(in: -1...1, using: &generator)))
    case 2: return .bool(chance(2))
    case 3: return .int(Int64.random(in: .min ... .max, using: &generator))
    case 4: return .time(chance(2) ? .max : now)
    case 5: return .string(["", "é", "e\u{301}", "a\0b"].randomElement(using: &generator) ?? "")
    case 6: return .bytes((0..<Int.random(in: 0...5, using: &generator)).map { UInt8($0 * 50) })
    case 7:
      return .list([.double(double), .int(.min), .dictionary(["a": .none, "é": .bool(true)])])
    case 8: return .dictionary(["v": .vector(Vector(1, 2)), "l": .list([])])
    default: return .double(double)
    }
  }
}

extension Sample {
  /// All it is, to the bit, for comparison.
  var exact: String {
    "\(value.exact) \(status.rawValue) \(flags.rawValue) \(clockOrigin.rawValue) \(sequence)"
      + " \(time) \(realtime)"
      + (absence.map { " \(Array($0.reason.utf8)) \($0.errno) \(Array($0.remedy.utf8))" } ?? "")
  }
}

extension Value {
  var exact: String {
    switch self {
    case .none: "-"
    case .bool(let flag): "b\(flag)"
    case .int(let number): "i\(number)"
    case .time(let number): "t\(number)"
    case .double(let number): "d\(number.bitPattern)"
    case .vector(let vector): "v\(vector.components.map(\.bitPattern))"
    case .string(let text): "s\(Array(text.utf8))"
    case .bytes(let bytes): "y\(bytes)"
    case .list(let items): "l\(items.map(\.exact))"
    case .dictionary(let members): "m\(members.map { "\(Array($0.key.utf8)):\($0.value.exact)" })"
    }
  }
}
