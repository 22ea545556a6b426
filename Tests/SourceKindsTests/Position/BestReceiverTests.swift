import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// Which receiver speaks for all (catalogue 4.1).
@Suite struct BestReceiverTests {
  private static let second: Int64 = 1_000_000_000

  private func receiver(
    _ device: String, _ fix: String, _ accuracy: Double?, status: ValueStatus = .ok
  ) -> Reading {
    var reading = Reading(properties: GPS.table.count)
    reading[GPS.Field.device] = .ok(.string(device))
    reading[GPS.Field.fix] = Outcome(value: .string(fix), status: status)
    if let accuracy { reading[GPS.Field.horizontalAccuracy] = .ok(.double(accuracy)) }
    reading[GPS.Field.latitude] = .ok(.double(Double(device.utf8.count)))
    return reading
  }

  private func chosen(_ members: [Reading], _ aggregate: inout Reading, at second: Double)
    -> String?
  {
    aggregate.instant.boot = Int64(second * 1e9)
    GPS().combine(members, into: &aggregate)
    return aggregate[GPS.Field.device].value.text
  }

  @Test func `the highest fix comes first, then the smallest accuracy`() {
    let flat = receiver("flat", "2d", 1)
    let rough = receiver("rough", "3d", 30)
    let fine = receiver("fine!", "3d", 3)
    let mute = receiver("mute", "3d", nil)
    let none = receiver("none", "none", nil)
    for members in [[flat, rough, fine, mute, none], [none, mute, fine, rough, flat]] {
      var all = Reading(properties: GPS.table.count)
      #expect(chosen(members, &all, at: 0) == "fine!")
      #expect(all[GPS.Field.latitude].value == .double(5))
    }
  }

  @Test func `a candidate must be better for 3 s`() {
    var all = Reading(properties: GPS.table.count)
    let one = receiver("one", "3d", 5)
    #expect(chosen([one, receiver("other", "3d", 9)], &all, at: 0) == "one")
    let better = receiver("other", "3d", 2)
    #expect(chosen([one, better], &all, at: 1) == "one")
    #expect(chosen([one, better], &all, at: 3.9) == "one")
    // Worse for a moment: it begins anew.
    #expect(chosen([one, receiver("other", "3d", 9)], &all, at: 3.95) == "one")
    #expect(chosen([one, better], &all, at: 4) == "one")
    #expect(chosen([one, better], &all, at: 6.9) == "one")
    #expect(chosen([one, better], &all, at: 7) == "other")
  }

  @Test func `another candidate has its own 3 s`() {
    var all = Reading(properties: GPS.table.count)
    let one = receiver("one", "2d", 5)
    #expect(chosen([one], &all, at: 0) == "one")
    #expect(chosen([one, receiver("b", "3d", 5)], &all, at: 1) == "one")
    #expect(chosen([one, receiver("b", "3d", 5), receiver("c", "3d", 1)], &all, at: 3) == "one")
    #expect(chosen([one, receiver("b", "3d", 5), receiver("c", "3d", 1)], &all, at: 5) == "one")
    #expect(chosen([one, receiver("b", "3d", 5), receiver("c", "3d", 1)], &all, at: 6) == "c")
  }

  @Test func `who has no fresh fix is not waited for`() {
    var all = Reading(properties: GPS.table.count)
    #expect(chosen([receiver("one", "3d", 5)], &all, at: 0) == "one")
    let stale = receiver("one", "3d", 5, status: .stale)
    #expect(chosen([stale, receiver("other", "2d", 50)], &all, at: 1) == "other")
    // Without any, the last one stays.
    let other = receiver("other", "none", nil)
    #expect(chosen([stale, other], &all, at: 2) == "other")
  }

  @Test func `times do not go back when another takes over (V12)`() {
    var all = Reading(properties: GPS.table.count)
    var one = receiver("one", "2d", 5)
    one[GPS.Field.latitude].stamp = 10
    #expect(chosen([one], &all, at: 0) == "one")
    var other = receiver("other", "3d", 5)
    other[GPS.Field.latitude].stamp = 8
    one[GPS.Field.fix].status = .stale
    #expect(chosen([one, other], &all, at: 1) == "other")
    #expect(all[GPS.Field.latitude].stamp == 10)
  }
}
