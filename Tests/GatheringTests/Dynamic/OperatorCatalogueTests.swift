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
    let stream = try probe.make("variable", ["value": .double(1)])
    let made = try stream.apply(name.rawValue, Self.arguments(of: .of(name)))
    #expect(made.subscriberCount == 0)
  }

  @Test(arguments: OperatorName.allCases)
  func `an option that is unknown, missing or of another type is refused`(
    name: OperatorName
  ) throws {
    let stream = try probe.make("variable", ["value": .double(1)])
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
    #expect(rows.map { $0["name"]?.text } == OperatorName.allCases.map(\.rawValue))
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
    let view = try #require(rows.first { $0["name"]?.text == "tick" })
    #expect(view["of"] == .string("observable"))
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
