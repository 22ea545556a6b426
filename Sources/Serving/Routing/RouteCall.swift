import Gathering
import Values

/// A request on its way into a route.
struct RouteCall: Sendable {
  let request: HTTPRequest
  /// What stands in the path for the names in braces.
  let names: [String]
  let parameters: [Target.Parameter]

  /// The value of a parameter that comes once; nil without it.
  func text(_ name: String) throws(Refusal) -> String? {
    let all = texts(name)
    if all.count > 1 { throw Refusal(.invalidArgument, "\(name) is there \(all.count) times") }
    return all.first
  }

  /// All values of a parameter.
  func texts(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

  /// 0 or 1; nil without the parameter.
  func flag(_ name: String) throws(Refusal) -> Bool? {
    switch try text(name) {
    case nil: nil
    case "0": false
    case "1": true
    default: throw Refusal(.invalidArgument, "\(name) is 0 or 1")
    }
  }

  /// A number of seconds within bounds, in nanoseconds; nil without the parameter.
  func duration(_ name: String, within bounds: ClosedRange<Double>) throws(Refusal) -> Int64? {
    guard let text = try text(name) else { return nil }
    return try Self.duration(text, named: name, within: bounds)
  }

  /// The same of a text.
  static func duration(
    _ text: String, named name: String, within bounds: ClosedRange<Double>
  ) throws(Refusal) -> Int64 {
    guard let seconds = Double(text), bounds.contains(seconds) else {
      throw Refusal(
        .invalidArgument,
        "\(name) is a number of seconds from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return Int64((seconds * 1e9).rounded())
  }

  /// A whole number within bounds; nil without the parameter.
  func integer(_ name: String, within bounds: ClosedRange<Int>) throws(Refusal) -> Int? {
    guard let text = try text(name) else { return nil }
    guard let number = Int(text), bounds.contains(number) else {
      throw Refusal(
        .invalidArgument,
        "\(name) is a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return number
  }

  /// The members of the body, of which only some names are known.
  func members(_ known: [String]) throws(Refusal) -> ValueDictionary {
    let value: Value
    do {
      value = try Value(json: String(decoding: request.body, as: UTF8.self))
    } catch {
      throw Refusal(.parse, "the body is no JSON: \(error)")
    }
    guard case .dictionary(let members) = value else {
      throw Refusal(.parse, "the body is a JSON object")
    }
    for (name, _) in members where !known.contains(name) {
      throw Refusal(.invalidArgument, Nearest.sentence(to: name, among: known, what: "member"))
    }
    return members
  }
}
