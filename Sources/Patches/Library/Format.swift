import Gathering
import Ground
import Streams
import Values

/// Values as text.
struct FormatBlueprint: PatchBlueprint {
  let type = "format"
  let summary = "The value as text: {value}, {value:.2} with so many decimals, {unit}."
  let inputs: [PortDescription]? = [PortDescription("value")]
  let outputs: [PortDescription]? = [PortDescription("text", .string)]
  let options: [PortDescription]? = [
    PortDescription("template", .string, standard: .string("{value}"))
  ]

  func ports(
    for options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) -> PortList {
    _ = try start(options)
    let all = (inputs ?? []) + (self.options ?? [])
    return PortList(inputs: all, outputs: outputs ?? [])
  }

  func build(
    _ patch: Patch, options: ValueDictionary, in catalogue: PatchCatalogue
  ) throws(PatchError) {
    let (template, text) = try start(options)
    let present = Lock(template)
    try patch.define(input: PortDescription("value")) { patch, sample in
      if sample.value == .none { return try patch.publish(.none, on: "text") }
      let template = present.withLock { $0 }
      let unit = template.namesUnit ? patch.unit(of: "value") : nil
      let text = template.text(of: sample.value, unit: unit)
      // A loop through texts would make them longer without end.
      guard text.utf8.count <= Self.lengthLimit else {
        throw HandlerFailure(code: 0, message: "the text has become too long")
      }
      try patch.publish(.string(text), on: "text")
    }
    try patch.define(input: PortDescription("template", .string)) { _, sample in
      guard case .string(let text) = sample.value else { return }
      let new = try TextTemplate(text)
      present.withLock { $0 = new }
    }
    try patch.define(output: PortDescription("text", .string))
    try patch.start("template", at: .string(text))
  }

  private static let lengthLimit = 65_536

  private func start(
    _ options: ValueDictionary
  ) throws(PatchError) -> (template: TextTemplate, text: String) {
    let text = try PatchOptions(options, as: self.options ?? []).text("template")
    return (try TextTemplate(text), text)
  }
}

/// Text with places for a value and its unit; `{{` and `}}` are braces.
struct TextTemplate: Sendable {
  private enum Part: Sendable {
    case text(String)
    case value(decimals: Int?)
    case unit
  }

  private var parts: [Part] = []

  /// Reads a template; throws `badOption` for a place that is none.
  init(_ template: String) throws(PatchError) {
    var text = ""
    var rest = Substring(template)
    while let character = rest.popFirst() {
      if character == "{", rest.first != "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw .badOption("template", reason: "a \"}\" is missing")
        }
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(try Self.place(rest[..<end]))
        rest = rest[rest.index(after: end)...]
      } else {
        if (character == "{" || character == "}"), rest.first == character { rest.removeFirst() }
        text.append(character)
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  /// Whether it has a place for the unit.
  var namesUnit: Bool {
    parts.contains { if case .unit = $0 { true } else { false } }
  }

  /// The text for a value.
  func text(of value: Value, unit: String?) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .text(let literal): text += literal
      case .unit: text += unit == "1" ? "" : unit ?? ""
      case .value(nil): text += value.formatted()
      case .value(let decimals?): text += Self.text(of: value, decimals)
      }
    }
  }

  private static func place(_ place: Substring) throws(PatchError) -> Part {
    if place == "value" { return .value(decimals: nil) }
    if place == "unit" { return .unit }
    if place.hasPrefix("value:."), let decimals = Int(place.dropFirst(7)),
      (0...15).contains(decimals), place.dropFirst(7).allSatisfy(\.isNumber)
    {
      return .value(decimals: decimals)
    }
    throw .badOption("template", reason: "there is no place {\(place)}")
  }

  private static func text(of value: Value, _ decimals: Int) -> String {
    switch value {
    case .int(let number): return rounded(Double(number), decimals)
    case .double(let number): return rounded(number, decimals)
    case .vector(let vector):
      let all = vector.components.map { rounded($0, decimals) }
      return "(" + all.joined(separator: ", ") + ")"
    default: return value.formatted()
    }
  }

  /// Rounded half away from zero, as the number is written.
  private static func rounded(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return Value.double(number).formatted() }
    var power: Double = 1
    for _ in 0..<decimals { power *= 10 }
    let whole = abs(number).rounded(.down)
    var fraction = ((abs(number) - whole) * power).rounded()
    // A number that misses a half only by the error of the product is rounded as it is written.
    let written = abs(number).description
    if written.hasSuffix("5"), let dot = written.firstIndex(of: "."),
      written.distance(from: dot, to: written.endIndex) == decimals + 2
    {
      fraction = ((abs(number) - whole) * power + 1e-7).rounded()
    }
    let carry: Double = fraction >= power ? 1 : 0
    fraction -= carry * power
    let head = Int64(whole + carry)
    let digits = String(Int64(fraction))
    let isZero = head == 0 && fraction == 0
    let sign = number < 0 && !isZero ? "-" : ""
    if decimals == 0 { return "\(sign)\(head)" }
    return "\(sign)\(head)." + String(repeating: "0", count: decimals - digits.count) + digits
  }
}

extension Patch {
  /// The unit of the output an input is wired to; nil if it has none.
  func unit(of input: String) -> String? {
    guard let record = (try? port(input, .input))?.state.withLock({ $0.wire }),
      let origin = record.origin.patch
    else { return nil }
    return (try? origin.port(record.output, .output))?.unit
  }
}
