import Streams
import Testing
import Values

@testable import Gathering

/// The table of operators and what is made of it: what C calls by name is what the table says.
struct OperatorCatalogueTests {
  let probe: DynamicProbe

  init() throws { probe = try DynamicProbe() }

  @Test(arguments: OperatorName.allCases)
  func `every operator of the table is made of the options it needs`(name: OperatorName) throws {
    let made = try input(of: name).apply(name.rawValue, Self.arguments(of: .of(name)))
    #expect(made.subscriberCount == 0)
  }

  /// A stream that an operator can be applied to.
  private func input(of name: OperatorName) throws -> DynamicStream {
    !OperatorDescription.of(name).collections.isEmpty
      ? try probe.make("list", ["value": .list([.double(1)])])
      : try probe.make("variable", ["value": .double(1)])
  }

  @Test(arguments: OperatorName.allCases)
  func `an option that is unknown, missing or of another type is refused`(
    name: OperatorName
  ) throws {
    let stream = try input(of: name)
    let description = OperatorDescription.of(name)
    let needed = Self.arguments(of: description)
    var unknown = needed
    unknown["nonsense"] = .int(1)
    #expect(errorWord { _ = try stream.apply(name.rawValue, unknown) } == "invalidArgument")
    if !needed.isEmpty {
      #expect(errorWord { _ = try stream.apply(name.rawValue) } == "invalidArgument")
    }
    for option in description.options where option.kind != .value {
      var wrong = needed
      wrong[option.nameInC] = .string("x")
      #expect(errorWord { _ = try stream.apply(name.rawValue, wrong) } == "invalidArgument")
    }
  }

  @Test func `a range and a choice of the table hold`() throws {
    let stream = try probe.make("signal")
    func word(_ name: String, _ arguments: ValueDictionary) -> String {
      errorWord { _ = try stream.apply(name, arguments) }
    }
    #expect(word("low_pass", ["alpha": .double(1.5)]) == "invalidArgument")
    #expect(word("low_pass", ["alpha": .int(1), "time_constant_ns": .int(1)]) == "invalidArgument")
    #expect(word("window", ["count": .int((1 << 24) + 1)]) == "limit")
    #expect(word("batch", [:]) == "invalidArgument")
    #expect(word("batch", ["count": .int(2), "duration_ns": .int(1)]) == "")
  }

  @Test func `the table can be read as values`() throws {
    let rows = DynamicStream.operators.map { Self.dictionary($0) }
    let applied = rows.filter { $0["by"] == .string("apply") }
    #expect(applied.map { $0["name"]?.text } == OperatorName.allCases.map(\.rawValue))
    #expect(applied.allSatisfy { $0["least_inputs"] == .int(1) && $0["most_inputs"] == .int(1) })
    let throttle = try #require(rows.first { $0["name"]?.text == "throttle" })
    #expect(
      throttle["options"]
        == .list([
          .dictionary([
            "name": .string("duration_ns"), "hint": .string("int"), "unit": .string("ns"),
            "least": .int(1), "required": .bool(true),
          ]),
          .dictionary([
            "name": .string("latest"), "hint": .string("bool"), "default": .bool(true),
            "required": .bool(false),
          ]),
        ]))
    #expect(throttle["need"] == .string("required"))
    #expect(throttle["needs_observable"] == .bool(false))
    func member(_ member: String, of name: String) -> Value? {
      rows.first { $0["name"]?.text == name }?[member]
    }
    #expect(member("needs_observable", of: "tick") == .bool(true))
    #expect(member("collections", of: "tick") == nil)
    #expect(member("collections", of: "count") == .list([.string("list"), .string("set")]))
    #expect(member("collections", of: "sum") == .list([.string("list")]))
    #expect(member("need", of: "window") == .string("exactlyOne"))
    #expect(member("need", of: "batch") == .string("atLeastOne"))
    #expect(
      member("options", of: "min_change")
        == .list([
          .dictionary([
            "name": .string("delta"), "hint": .string("double"), "least": .double(0),
            "required": .bool(true),
          ])
        ]))
  }

  @Test func `the values tell what makes one stream of several`() throws {
    let rows = DynamicStream.operators.map { Self.dictionary($0) }
    let combining = rows.filter { $0["by"] == .string("combine") }
    #expect(
      combining.compactMap { $0["name"]?.text }
        == Merging.allCases.map(\.rawValue) + Joining.allCases.map(\.rawValue)
        + Combination.allCases.map(\.rawValue))
    #expect(Set(rows.compactMap { $0["name"]?.text }).count == rows.count)
    #expect(rows.allSatisfy { ($0["summary"]?.text ?? "").count > 10 })
    let merge = try #require(combining.first)
    #expect(merge["least_inputs"] == .int(1))
    #expect(merge["most_inputs"] == nil)
    #expect(merge["options"] == .list([]))
    let minus = try #require(combining.first { $0["name"]?.text == "-" })
    #expect(minus["least_inputs"] == .int(1))
    #expect(minus["most_inputs"] == .int(2))
  }

  @Test(arguments: DynamicStream.operators.indices)
  func `an operator of several is made of as many streams as the values say`(index: Int) throws {
    let row = Self.dictionary(DynamicStream.operators[index])
    guard row["by"] == .string("combine"), let name = row["name"]?.text else { return }
    guard case .int(let least) = row["least_inputs"] else {
      Issue.record("\(name) does not say how many streams it takes")
      return
    }
    var most: Int64?
    if case .int(let number) = row["most_inputs"] { most = number }
    var type = "variable"
    if case .list(let types)? = row["collections"] { type = types.first?.text ?? type }
    #expect((row["needs_observable"] == .bool(true)) == (type != "variable"))
    let stream = try probe.make(type, ["value": .list([.double(1)])])
    for count in 0...7 {
      let streams = Array(repeating: stream, count: count)
      let isRight = count >= least && count <= most ?? 7
      let word = errorWord { _ = try DynamicStream.combine(streams, name) }
      #expect(word == (isRight ? "" : "invalidArgument"), "\(count) streams")
    }
  }

  /// As few arguments as an operator can do with.
  private static func arguments(of description: OperatorDescription) -> ValueDictionary {
    let count: Int
    switch description.need {
    case .first(let number): count = number
    case .exactlyOne, .atLeastOne: count = 1
    }
    return ValueDictionary(
      description.options.prefix(count).map { option in
        switch option.kind {
        case .duration, .count: (option.nameInC, .int(1))
        case .number: (option.nameInC, .double(0.5))
        case .flag: (option.nameInC, .bool(true))
        case .value: (option.nameInC, .string("x"))
        }
      })
  }

  private static func dictionary(_ value: Value) -> ValueDictionary {
    if case .dictionary(let dictionary) = value { dictionary } else { [:] }
  }
}
