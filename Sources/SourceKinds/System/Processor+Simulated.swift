import Gathering

extension Processor {
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.four(busy: 0.18, step: 0.04, clock: 2_100_000_000, maximum: 4_200_000_000)
        + Self.together(load: 0.8)
    case .phone:
      Self.four(busy: 0.1, step: 0.02, clock: 816_000_000, maximum: 1_416_000_000)
        + Self.together(load: 1.4)
    }
  }

  private static func four(busy: Double, step: Double, clock: Double, maximum: Double) -> String {
    (0..<4).map {
      one($0, busy: busy + step * Double($0), clock: clock, maximum: maximum) + "\n"
    }.joined()
  }

  /// A logical CPU that is as busy as a slow wave makes it.
  private static func one(_ number: Int, busy: Double, clock: Double, maximum: Double) -> String {
    let id = "cpu|cpu\(number)"
    let absent = [
      "online_count", "load_1", "load_5", "load_15", "pressure_some_avg10",
      "pressure_some_avg60", "pressure_some_avg300",
    ].map { "0 absent \(id)/\($0) unsupported only all processors together have it" }
    let pace = 0.01 + 0.003 * Double(number)
    return """
      0 add \(id)
      0 set \(id)/usage \(busy)
      0 wave \(id)/usage sine \(busy * 0.5) \(pace)
      0 set \(id)/user \(busy * 0.6)
      0 wave \(id)/user sine \(busy * 0.3) \(pace)
      0 set \(id)/system \(busy * 0.3)
      0 wave \(id)/system sine \(busy * 0.15) \(pace)
      0 set \(id)/iowait 0.01
      0 set \(id)/interrupt \(busy * 0.1)
      0 wave \(id)/interrupt sine \(busy * 0.05) \(pace)
      0 set \(id)/steal 0
      0 set \(id)/frequency \(clock)
      0 wave \(id)/frequency noise \(clock * 0.2) 1
      0 set \(id)/frequency_minimum 400000000
      0 set \(id)/frequency_maximum \(maximum)
      0 set \(id)/online true
      \(absent.joined(separator: "\n"))
      """
  }

  /// The values of all processors together.
  private static func together(load: Double) -> String {
    """
    0 set cpu|aggregate/load_1 \(load)
    0 wave cpu|aggregate/load_1 sine \(load * 0.4) 0.004
    0 set cpu|aggregate/load_5 \(load * 0.9)
    0 wave cpu|aggregate/load_5 sine \(load * 0.2) 0.001
    0 set cpu|aggregate/load_15 \(load * 0.8)
    0 set cpu|aggregate/pressure_some_avg10 1.2
    0 wave cpu|aggregate/pressure_some_avg10 sine 1 0.02
    0 set cpu|aggregate/pressure_some_avg60 0.9
    0 set cpu|aggregate/pressure_some_avg300 0.7
    """
  }
}
