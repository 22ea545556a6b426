import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Patches of the library with known numbers, by patches 2.8.
struct LibraryTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private func check(
    _ type: String, _ options: ValueDictionary = [:], output: String = "value",
    on samples: [(Double, Double)], gives expected: [Double],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let patch = try bench.patch(type, options)
    let got = try patch.run("value", samples.map { ($0.0, .double($0.1)) }, output: output)
    #expect(isClose(numbers(got), expected), "\(got)", sourceLocation: location)
  }

  private func each(_ values: [Double]) -> [(Double, Double)] {
    values.enumerated().map { (Double($0.offset), $0.element) }
  }

  @Test func `constant publishes at creation and when it is set`() throws {
    let patch = try bench.patch("constant", ["value": .int(3)])
    let (seen, connection) = try patch.collect("value")
    try patch.set(.int(4), for: "value")
    #expect(seen.values == [.int(3), .int(4)])
    connection.disconnect()
  }

  @Test func `scale works by component and takes new options with the next value, L51, L52`() throws
  {
    let patch = try bench.patch("scale", ["factor": .int(2), "offset": .double(1)])
    let (seen, connection) = try patch.collect("value")
    try patch.set(.int(3), for: "value")
    try patch.set(.double(10), for: "factor")
    try patch.set(.vector(Vector(1, 2)), for: "value")
    #expect(seen.values == [.double(7), .vector(Vector(11, 21))])
    #expect(patch.inputs["factor"]?.last?.value == .double(10))
    connection.disconnect()
  }

  @Test func `convert converts, and incompatible units are badOption`() throws {
    try check(
      "convert", ["from": .string("Cel"), "to": .string("K")], on: each([0, 100]),
      gives: [273.15, 373.15])
    #expect(throws: PatchError.self) {
      try bench.patch("convert", ["from": .string("Cel"), "to": .string("m")])
    }
  }

  @Test func `component and norm take vectors apart`() throws {
    let vector = Value.vector(Vector(3, 4, 12))
    for (axis, number) in [(Value.string("z"), 12.0), (.int(1), 4)] {
      let patch = try bench.patch("component", ["axis": axis])
      #expect(try patch.run("vector", [(0, vector)], output: "value") == [.double(number)])
    }
    let norm = try bench.patch("norm")
    #expect(try norm.run("vector", [(0, vector)], output: "value") == [.double(13)])
  }

  @Test func `low_pass and high_pass compute with sample times, L35`() throws {
    let samples = [(0.0, 0.0), (1, 8), (2, 8), (5, 8)]
    let slow = [0, 4, 6, 6 + 0.75 * 2]
    try check("low_pass", ["time_constant": .double(1)], on: samples, gives: slow)
    try check("lowPass", ["timeConstant": .double(1)], on: samples, gives: slow)
    try check("low_pass", ["alpha": .double(0.25)], on: samples, gives: [0, 2, 3.5, 4.625])
    try check(
      "high_pass", ["time_constant": .double(1)], on: samples,
      gives: zip(samples, slow).map { $0.1 - $1 })
  }

  @Test func `moving_average knows counts and durations`() throws {
    let samples = [(0.0, 2.0), (1, 4), (2, 6), (10, 1)]
    try check("moving_average", ["window": .int(2)], on: samples, gives: [2, 3, 5, 3.5])
    try check("moving_average", ["duration": .double(1)], on: samples, gives: [2, 3, 5, 1])
  }

  @Test func `threshold has hysteresis, says state first, and ignores NaN, L53`() throws {
    let options: ValueDictionary = ["above": .double(10), "below": .double(5)]
    let levels = [7, 10, .nan, 7, 5, 4.9, 7, 12]
    let state = try bench.patch("threshold", options)
      .run("value", each(levels).map { ($0.0, .double($0.1)) }, output: "state")
    #expect(state == [false, true, false, true].map(Value.bool))
    try check("threshold", options, output: "crossed", on: each(levels), gives: [1, -1, 1])
    try check(
      "threshold", ["above": .double(10)], output: "crossed", on: each([0, 10, 9]), gives: [1, -1])
  }

  @Test func `gate passes while open and replays nothing`() throws {
    let patch = try bench.patch("gate")
    let (seen, connection) = try patch.collect("value")
    try patch.set(.int(1), for: "value")
    try patch.set(.bool(true), for: "open")
    try patch.set(.int(2), for: "value")
    try patch.set(.bool(false), for: "open")
    try patch.set(.int(3), for: "value")
    #expect(seen.values == [.int(2)])
    connection.disconnect()
  }

  @Test func `switch gives the chosen input, and its last value on a new choice`() throws {
    let patch = try bench.patch("switch")
    #expect(patch.inputNames == ["select", "a", "b"])
    let (seen, connection) = try patch.collect("value")
    try patch.set(.bool(true), for: "select")
    try patch.set(.int(1), for: "a")
    try patch.set(.int(2), for: "b")
    try patch.set(.bool(true), for: "select")
    try patch.set(.bool(false), for: "select")
    try patch.set(.int(3), for: "b")
    #expect(seen.values == [.int(2), .int(1)])
    connection.disconnect()
  }

  @Test func `math publishes once both inputs have a value, L52`() throws {
    let patch = try bench.patch("math", ["expression": .string("sqrt(a^2 + b^2)")])
    let (seen, connection) = try patch.collect("value")
    try patch.set(.int(3), for: "a")
    #expect(seen.values == [])
    try patch.set(.double(4), for: "b")
    try patch.set(.int(0), for: "a")
    #expect(seen.values == [.double(5), .double(4)])
    connection.disconnect()
    #expect(throws: PatchError.self) { try bench.patch("math") }
  }

  @Test func `combine makes lists and vectors`() throws {
    let list = try bench.patch("combine")
    let (seen, connection) = try list.collect("value")
    try list.set(.string("x"), for: "2")
    try list.set(.int(1), for: "1")
    #expect(seen.values == [.list([.int(1), .string("x")])])
    connection.disconnect()
    let vector = try bench.patch("combine", ["count": .int(3), "as": .string("vector")])
    #expect(vector.inputNames == ["1", "2", "3"])
    for name in ["1", "2", "3"] { try vector.set(.int(2), for: name) }
    #expect(vector.outputs["value"]?.last?.value == .vector(Vector(2, 2, 2)))
    #expect(throws: PatchError.self) {
      try bench.patch("combine", ["count": .int(5), "as": .string("vector")])
    }
  }

  @Test func `a loop through lists ends before they are too large`() throws {
    let patch = try bench.patch("combine")
    patch.outputs["value"]?.cascadeLimit = 1000
    try patch.connect("value", to: patch, "1")
    for input in ["1", "2"] { try patch.set(.int(1), for: input) }
    #expect(patch.errorCount() == 1)
    #expect(patch.outputs["value"]?.last?.value.type == .list)
  }

  @Test func `a loop through texts ends before they are too long`() throws {
    let patch = try bench.patch("format", ["template": .string("{value}{value}")])
    try patch.connect("text", to: patch, "value")
    try patch.set(.string("ab"), for: "value")
    #expect(patch.errorCount() == 1)
  }

  @Test func `statistics are those of the population`() throws {
    let samples = each([2, 4, 4, 4, 5, 5, 7, 9])
    let figures = [("min", 2.0), ("max", 9), ("mean", 5), ("std", 2), ("rms", 29.0.squareRoot())]
    for (output, expected) in figures {
      let patch = try bench.patch("statistics", ["count": .int(8)])
      let got = try patch.run("value", samples.map { ($0.0, .double($0.1)) }, output: output)
      #expect(isClose([numbers(got).last ?? .nan], [expected]))
    }
  }

  @Test func `derivative is silent first and where time stands`() throws {
    try check(
      "derivative", on: [(0.0, 1.0), (2, 5), (2, 100), (3, 5)], gives: [2, 0])
  }

  @Test func `integrate adds trapezoids and can be reset`() throws {
    let patch = try bench.patch("integrate")
    let (seen, connection) = try patch.collect("value")
    for (time, number) in [(0.0, 0.0), (2, 2), (4, 2)] {
      try patch.feed(.double(number), at: time, to: "value")
    }
    try patch.set(.double(10), for: "reset")
    try patch.feed(.double(2), at: 5, to: "value")
    try patch.set(.bool(true), for: "reset")
    try patch.feed(.double(2), at: 6, to: "value")
    #expect(isClose(numbers(seen.values), [0, 2, 6, 12, 2]))
    connection.disconnect()
  }

  @Test func `fft_peak finds the strongest bin above zero of full windows`() throws {
    let samples = (0..<64).map { step in
      (Double(step) / 32, 3 + 2 * cosine(2 * .pi * 4 * Double(step) / 32))
    }
    try check("fft_peak", ["count": .int(32)], output: "frequency", on: samples, gives: [4, 4])
    try check("fft_peak", ["count": .int(32)], output: "magnitude", on: samples, gives: [2, 2])
  }

  @Test func `count counts since creation or reset`() throws {
    let patch = try bench.patch("count")
    let (seen, connection) = try patch.collect("count")
    for _ in 0..<2 { try patch.set(.string("x"), for: "value") }
    try patch.set(.bool(true), for: "reset")
    try patch.set(.int(1), for: "value")
    #expect(seen.values == [.int(1), .int(2), .int(1)])
    connection.disconnect()
  }

  @Test func `format knows decimals and the unit of what it is wired to`() throws {
    let patch = try bench.patch("format", ["template": .string("{{T}} = {value:.2} {unit}")])
    let source = try bench.patch("convert", ["from": .string("K"), "to": .string("Cel")])
    try source.connect("value", to: patch, "value")
    try source.set(.double(274.656), for: "value")
    #expect(patch.outputs["text"]?.last?.value == .string("{T} = 1.51 Cel"))
    for (number, text) in [(-0.001, "0.00"), (1.005, "1.01"), (0.995, "1.00"), (2, "2.00")] {
      let plain = try bench.patch("format", ["template": .string("{value:.2}")])
      try plain.set(.double(number), for: "value")
      #expect(plain.outputs["text"]?.last?.value == .string(text))
    }
    #expect(throws: PatchError.self) { try bench.patch("format", ["template": .string("{x}")]) }
  }

  @Test func `null passes and leaves memory as it was, L53`() throws {
    let patch = try bench.patch("moving_average", ["window": .int(2)])
    let got = try patch.run(
      "value", [(0, .double(2)), (1, .none), (2, .double(4))], output: "value")
    #expect(got == [.double(2), .none, .double(3)])
    let why = Absence("unplugged")
    let scale = try bench.patch("scale")
    scale.inputs["value"]?.publish(
      Sample(.none, status: .noData, time: 1, realtime: 1, absence: why))
    #expect(scale.outputs["value"]?.last?.status == .noData)
    #expect(scale.outputs["value"]?.last?.absence == why)
  }

  @Test func `NaN and infinities follow the rules of IEEE and never trap, L53`() throws {
    for type in ["scale", "low_pass", "moving_average", "statistics", "derivative", "integrate"] {
      let patch = try bench.patch(type)
      for (time, number) in [(0, Double.nan), (1, .infinity), (2, -.infinity), (3, 1e308)] {
        try patch.feed(.double(number), at: Double(time), to: "value")
      }
      #expect(patch.errorCount() == 0)
    }
  }

  @Test func `wrong and unknown options are named and make no patch, L51`() throws {
    let wrong: [(String, ValueDictionary, String)] = [
      ("scale", ["factr": .int(1)], "factr"), ("scale", ["factor": .string("x")], "factor"),
      ("low_pass", ["time_constant": .double(0)], "time_constant"),
      ("low_pass", ["alpha": .double(0.5), "time_constant": .double(1)], "alpha"),
      ("moving_average", ["window": .int(0)], "window"),
      ("component", ["axis": .string("q")], "axis"),
      ("debounce", ["duration": .double(-1)], "duration"),
      ("fft_peak", ["count": .int(7)], "count"),
      ("source", ["kind": .string("batery"), "instances": .string("all")], "kind"),
      ("source", ["kind": .string("battery"), "instances": .string("every")], "instances"),
      ("source", ["kind": .string("battery"), "instances": .int(2)], "instances"),
      ("source", ["id": .string("battery|BAT0"), "instances": .string("all")], "instances"),
      ("source", ["instances": .string("all")], "kind"),
      ("source", ["kind": .string("battery"), "id": .string("battery|BAT0")], "id"),
      ("source", [:], "kind"), ("source", ["kind": .string("batery")], "kind"),
      ("record", ["store": .string("nowhere")], "store"),
      ("log", ["level": .string("loud")], "level"),
    ]
    for (type, options, name) in wrong {
      #expect("\(type) \(name)") {
        _ = try bench.patch(type, options)
      } throws: { error in
        guard case .badOption(let option, _) = error as? PatchError else { return false }
        return option == name
      }
    }
    #expect(throws: PatchError.notFound("lowpas")) { try bench.patch("lowpas") }
  }
}

/// Cosine without a mathematics library: good to 1e-12 by its series, which is all it is for.
func cosine(_ angle: Double) -> Double {
  var x = angle.truncatingRemainder(dividingBy: 2 * .pi)
  if x > .pi { x -= 2 * .pi }
  var (term, sum) = (1.0, 1.0)
  for step in 1...20 {
    term *= -x * x / Double((2 * step - 1) * (2 * step))
    sum += term
  }
  return sum
}
