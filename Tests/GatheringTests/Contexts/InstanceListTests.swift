import GatheredKitTesting
import Ground
import Streams
import Testing
import Values

@testable import Gathering
@testable import SourceKinds

/// The instances of a context as a list that can be watched.
@Suite struct InstanceListTests {
  static let script = """
    0 add battery|BAT10
    0 add battery|BAT2
    1 remove battery|BAT2
    1 add battery|BAT3
    2 remove battery|BAT10
    2 remove battery|BAT3
    """

  private func ids(_ list: [SourceDescription]) -> [String] { list.map(\.id.description) }

  @Test func `L101 the greeting is complete, and each look at the machine is one change`() throws {
    let sim = try ScriptedContext(Self.script)
    let list = try sim.context.instances(of: "battery")
    let (changes, lists) = (
      CollectingSink<ArrayChange<SourceDescription>>(), CollectingSink<[SourceDescription]>()
    )
    let bag = Connector()
    list.collect(into: lists).put(into: bag)
    list.changes.collect(into: changes).put(into: bag)
    #expect(lists.values.map(ids) == [["battery|aggregate", "battery|BAT2", "battery|BAT10"]])
    try sim.seek(1)
    #expect(changes.values.count == 1 && lists.values.count == 2)
    try sim.seek(2)
    #expect(changes.values.count == 2 && lists.values.last?.isEmpty == true)
    var copy = lists.values[0]
    for change in changes.values { try change.apply(to: &copy) }
    #expect(copy.isEmpty)
    bag.disconnect()
  }

  @Test func `L101 without a kind it is every kind, as a list of sources has it`() throws {
    let context = try Context.open("sim:phone", mode: .host, catalogue: SourceCatalogue.all)
    let all = try context.sources().map(\.id.description)
    #expect(ids(try context.instances().value) == all)
    let list = try DynamicStream.make("sources", in: context)
    let value = try #require(try list.value()?.value)
    guard case .list(let rows) = value else {
      Issue.record("\(value)")
      return
    }
    #expect(rows.count == all.count)
    try context.close()
  }

  @Test func `L102 it cannot be changed, costs nothing unobserved, and ends with the context`()
    throws
  {
    let sim = try ScriptedContext(Self.script)
    let list = try DynamicStream.make("sources", ["kind": .string("battery")], in: sim.context)
    #expect(errorWord { try list.modify([:]) } == "notSupported")
    #expect(errorWord { try list.send(.list([])) } == "notSupported")
    let watchers = { sim.context.core.withLock { $0.watchers.count } }
    #expect(watchers() == 0)
    let first = try list.subscribe(DynamicStream.Subscriber { _ in })
    let second = try list.apply("changes").subscribe(DynamicStream.Subscriber { _ in })
    #expect(watchers() == 1)
    first.end()
    second.end()
    #expect(watchers() == 0)
    let unknown: ValueDictionary = ["kind": .string("x")]
    #expect(
      errorWord { _ = try DynamicStream.make("sources", unknown, in: sim.context) } == "notFound")
    try sim.context.close()
    #expect(errorWord { _ = try list.value() } == "closed")
  }

  @Test func `L103 a source is there for each instance as long as that is`() throws {
    let sim = try ScriptedContext(Self.script)
    let opened = Lock<[String]>([])
    let connection = try sim.context.instances(of: "battery").gather { source in
      let id = source.id.description
      opened.withLock { $0.append(id) }
    }
    try sim.seek(1)
    #expect(
      opened.withLock { $0 } == [
        "battery|aggregate", "battery|BAT2", "battery|BAT10", "battery|BAT3",
      ])
    connection.disconnect()
  }

  @Test func `L101 what may be shown is part of it`() throws {
    let sim = try ScriptedContext("0 add gps|receiver")
    let list = CollectingSink<[SourceDescription]>()
    let connection = try sim.context.instances(of: "gps").collect(into: list)
    try sim.context.setAllow(.all)
    let states = list.values.map { $0[0].availability.group }
    #expect(states == [.requiresPermissionsPrompt, .available])
    connection.disconnect()
  }
}
