import Gathering
import Ground
import Testing

@Suite struct DistinctNamesTests {
  private func named(_ names: [String], beside all: Instance? = nil) -> [Instance] {
    let available = Availability(.available, backend: "test")
    return [all].compactMap(\.self) + names.map { Instance($0, availability: available) }
  }

  private func distinct(_ names: [String]) -> [String] {
    named(names).withDistinctNames().map(\.name)
  }

  @Test func `N7: a suffix that would make the name of another is passed over`() {
    #expect(distinct(["a", "a", "a"]) == ["a", "a~2", "a~3"])
    #expect(distinct(["a", "a", "a~2"]) == ["a", "a~3", "a~2"])
    #expect(distinct(["a~2", "a", "a"]) == ["a~2", "a", "a~3"])
    #expect(distinct(["a~2", "a~2", "a", "a"]) == ["a~2", "a~2~2", "a", "a~3"])
    #expect(distinct(["aggregate"]) == ["aggregate~1"])
    #expect(distinct(["aggregate", "aggregate"]) == ["aggregate~1", "aggregate~2"])
    #expect(distinct(["aggregate", "aggregate~1"]) == ["aggregate~2", "aggregate~1"])
  }

  @Test(arguments: 0..<400)
  func `N7: whatever the names, each is one thing's and only namesakes change theirs`(seed: Int) {
    var random = RandomNumbers(seed: UInt64(seed))
    let words = ["a", "a~2", "a~3", "a~2~2", "a~2~3", "b", "aggregate", "aggregate~1", "é~2", "é"]
    let names = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      words[Int.random(in: 0..<words.count, using: &random)]
    }
    let all = Instance.aggregate(Availability(.available), label: "All")
    let given = named(names, beside: all)
    let found = given.withDistinctNames()
    #expect(Set(found.map(\.name)).count == found.count)
    #expect(found.first == all)
    #expect(found.withDistinctNames() == found)
    var seen: Set<String> = []
    for (name, instance) in zip(names, found.dropFirst()) {
      if seen.insert(name).inserted, name != "aggregate" {
        #expect(instance.name == name)
      } else {
        let suffix = instance.name.dropFirst(name.count)
        #expect(instance.name.hasPrefix(name) && suffix.first == "~")
        #expect(Int(suffix.dropFirst()) != nil && !names.contains(instance.name))
      }
    }
  }
}

/// Numbers that are the same in every run.
private struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
