import Recording
import Values

/// JSON for programs in browsers: absolute times and whole numbers beyond 2^53 are texts, since
/// JavaScript would round them (serve W21).
enum JSONBody {
  /// Beyond this not every whole number has a double of its own.
  private static let exact: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// A dictionary as the bytes of an answer.
  static func bytes(_ members: ValueDictionary) -> [UInt8] {
    Array(text(.dictionary(members)).utf8)
  }

  /// A value as text on one line.
  static func text(_ value: Value) -> String {
    let plain = plain(value)
    return (try? plain.json()) ?? "null"
  }

  /// A time since 1970.
  static func moment(_ nanoseconds: Int64) -> Value { .string(String(nanoseconds)) }

  /// A value that JavaScript reads as it is. What is not finite is null.
  static func plain(_ value: Value) -> Value {
    switch value {
    case .int(let number): exact.contains(number) ? value : .string(String(number))
    case .double(let number): number.isFinite ? value : .none
    case .time(let moment): .dictionary(["time_ns": Self.moment(moment)])
    case .vector(let vector):
      .dictionary(["vector": .list(vector.components.map { plain(.double($0)) })])
    case .list(let items): .list(items.map(plain))
    case .dictionary(let members):
      .dictionary(ValueDictionary(members.map { ($0.key, plain($0.value)) }))
    case .none, .bool, .string, .bytes: value
    }
  }
}
