import Gathering
import Values

/// A formula of two numbers.
struct Formula: PatchKind {
  static let type = "math"
  static let summary = "A formula of a and b: arithmetic, comparisons and the usual functions."
  static let inputs = [PortDescription("a"), PortDescription("b")]
  static let outputs = [PortDescription("value")]
  static let options = [PortDescription("expression", .string, isFixed: true)]
  static let passesNull = true

  private let expression: Expression
  private var a: Expression.Number?
  private var b: Expression.Number?

  init(_ options: PatchOptions) throws(PatchError) {
    let text = try options.text("expression")
    do {
      expression = try Expression(text)
    } catch {
      throw .badOption("expression", reason: "column \(error.column): \(error.reason)")
    }
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let number: Expression.Number
    switch sample.value {
    case .bool(let truth): number = .truth(truth)
    case .int(let whole): number = .real(Double(whole))
    case .double(let real): number = .real(real)
    default:
      throw PatchError.typeMismatch(port: input, expected: .double, given: sample.value.typeWord)
    }
    if input == "a" { a = number } else { b = number }
    // An input the formula does not name need not be waited for.
    if expression.names.contains("a"), a == nil { return }
    if expression.names.contains("b"), b == nil { return }
    switch expression.value(a: a ?? .real(.nan), b: b ?? .real(.nan)) {
    case .real(let real): publish("value", .double(real))
    case .truth(let truth): publish("value", .bool(truth))
    }
  }
}
