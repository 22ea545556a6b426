import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing

/// Wires made, moved and ended at random, against a plain list of them (patches L18, L23, L37).
struct RandomWiringTests {
  private struct Input: Hashable {
    let patch: Int
    let input: String
  }

  /// Where the wire of an input comes from, and whether it keeps that.
  private typealias Wires = [Input: (from: Int, keeps: Bool)]

  @Test func `a wire closes a circle exactly if its upstream depends on the consumer`() throws {
    let bench = try Bench()
    var dice = Dice()
    for _ in 0..<20 {
      let patches = (0..<8).map { _ in twoInputs(in: bench) }
      var wires: Wires = [:]
      for _ in 0..<150 {
        let (one, other) = (dice.roll(8), dice.roll(8))
        let target = Input(patch: other, input: dice.roll(2) == 0 ? "a" : "b")
        switch dice.roll(10) {
        case 0:
          try patches[other].disconnect(target.input)
          wires[target] = nil
        case 1:
          if dice.roll(2) == 0 { try patches[one].removeOutput("out") }
          patches[one].addOutput("out")
          wires = wires.filter { $0.value.from != one }
        case 2:
          patches[other].addInput(target.input)
          wires[target] = nil
        default:
          let isCircle = depends(one, on: other, wires)
          let wire = try patches[one].connect("out", to: patches[other], target.input)
          #expect(wire.isFeedback == isCircle)
          wires[target] = (one, !isCircle)
        }
        for (number, patch) in patches.enumerated() {
          for input in ["a", "b"] {
            let wire = wires[Input(patch: number, input: input)]
            #expect(try (patch.wire(of: input) != nil) == (wire != nil))
            #expect(try patch.wire(of: input)?.isFeedback ?? false == (wire?.keeps == false))
          }
        }
      }
    }
  }

  @Test func `whatever was wired, all is let go with the last handle`() throws {
    let bench = try Bench()
    var dice = Dice()
    for _ in 0..<50 {
      var witnesses: [Witness] = []
      do {
        let patches = (0..<10).map { _ in twoInputs(in: bench) }
        witnesses = patches.map(Witness.init)
        let graph = Graph(in: bench.context)
        for _ in 0..<60 {
          let (one, other) = (patches[dice.roll(10)], patches[dice.roll(10)])
          switch dice.roll(6) {
          case 0: _ = try? graph.add(one, as: "p\(dice.roll(5))")
          case 1: try? graph.offer(output: "p\(dice.roll(5)).out", as: "o\(dice.roll(3))")
          case 2: _ = try? graph.patch.connect("o\(dice.roll(3))", to: other, "a")
          case 3: try? graph.remove("p\(dice.roll(5))")
          default: try one.connect("out", to: other, dice.roll(2) == 0 ? "a" : "b")
          }
        }
      }
      #expect(witnesses.allSatisfy { $0.patch == nil })
    }
  }

  private func twoInputs(in bench: Bench) -> Patch {
    let patch = bench.patch()
    for input in ["a", "b"] { patch.addInput(input) }
    patch.addOutput("out")
    return patch
  }

  private func depends(_ patch: Int, on other: Int, _ wires: Wires) -> Bool {
    var (seen, next): (Set<Int>, [Int]) = ([patch], [patch])
    while let one = next.popLast() {
      for (place, wire) in wires where place.patch == one && wire.keeps {
        if seen.insert(wire.from).inserted { next.append(wire.from) }
      }
    }
    return seen.contains(other)
  }
}

private struct Witness {
  weak var patch: Patch?
  init(_ patch: Patch) { self.patch = patch }
}

/// The same numbers in every run.
private struct Dice {
  private var state: UInt64 = 88_172_645_463_325_252

  mutating func roll(_ count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(count))
  }
}
