import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

/// What is personal shows nowhere unless it is allowed (sources P1, P4, N8).
@Suite struct PrivacyTests {
  private func open(_ planted: PlantedMachine, _ allow: Allowance) throws -> Context {
    try Context.open(
      on: planted.fixture.machine, loop: planted.fixture.loop, allow: allow,
      catalogue: SourceCatalogue.all)
  }

  @Test(arguments: try PlantedMachine.names())
  func `P4 no output of a machine bears what is not allowed, in any spelling`(
    name: String
  ) throws {
    let planted = try PlantedMachine(name)
    for allow in [Allowance.none, Allowance(categories: [.location, .microphone])] {
      let context = try open(planted, allow)
      let told = try Revelations(of: context)
      #expect(told.lines.count > 100)
      for (category, spellings) in PlantedMachine.spellings {
        let lines = told.lines(with: spellings)
        #expect(lines.isEmpty, "\(category): \(lines.prefix(5).joined(separator: "\n"))")
      }
      try context.close()
    }
  }

  @Test(arguments: try PlantedMachine.names())
  func `P1 what is allowed is shown, and nothing else`(name: String) throws {
    let planted = try PlantedMachine(name)
    let all = try open(planted, .all)
    let told = try Revelations(of: all)
    for (category, spellings) in PlantedMachine.spellings {
      #expect(!told.lines(with: spellings).isEmpty, "\(category)")
    }
    try all.close()
    for category in [PrivacyCategory.serial, .ssid, .hostname, .activity] {
      let context = try open(planted, Allowance(categories: [category]))
      let told = try Revelations(of: context)
      for (other, spellings) in PlantedMachine.spellings {
        let isShown = !told.lines(with: spellings).isEmpty
        // An address may be a serial number and a network's name as well.
        if other == "mac" && category != .hostname { continue }
        #expect(isShown == (other == category.rawValue), "\(category.rawValue): \(other)")
      }
      try context.close()
    }
  }

  @Test func `P4 what goes, and what was opened by another name, tells as little`() throws {
    let planted = try PlantedMachine("power-laptop")
    let context = try open(planted, .none)
    let id = try #require(
      try context.sources(of: "battery").map(\.id).first {
        $0.instance?.hasPrefix("device.") == true
      })
    let source = try context.open(id)
    try source.startUpdating(every: 1_000_000_000)
    for name in PlantedMachine.supplies.keys {
      try planted.fixture.remove("/sys/class/power_supply/\(name)")
    }
    let digits = PlantedMachine.address.replacing(":", with: "")
    let link = try context.open(
      try #require(
        try context.sources(of: "network").map(\.id).first { $0.instance?.hasPrefix("enx") == true }
      ))
    try planted.fixture.remove("/sys/class/net/enx\(digits)")
    planted.bus.run("org.freedesktop.UPower", [:])
    try context.rescan()
    #expect(source.availability.state == .disconnected)
    #expect(link.availability.state == .disconnected)
    #expect(link.availability.detail == "\(link.id.instance ?? "") is gone")
    var told = try Revelations(of: context)
    told.add(source, in: context)
    for spellings in PlantedMachine.spellings.values { #expect(told.lines(with: spellings) == []) }
    try context.close()
  }

  @Test func `P3 what was shown while it was allowed is withheld when it no longer is`() throws {
    let planted = try PlantedMachine("power-laptop")
    let context = try open(planted, .all)
    let sources = try context.sources().map { try context.open($0.id) }
    for source in sources { _ = try? source.updateValues() }
    let shown = sources.map { "\($0.allValues) \($0.metadata) \($0.availability)" }
    #expect(shown.contains { $0.lowercased().contains(PlantedMachine.address) })
    try context.setAllow(.none)
    for source in sources {
      let text = "\(source.allValues) \(source.metadata) \(source.availability)".lowercased()
      for spelling in PlantedMachine.spellings.values.joined() {
        #expect(!text.contains(spelling), "\(source.id)")
      }
    }
    try context.close()
  }

  @Test func `N6 a kernel's name that bears an address opens only where addresses are allowed`()
    throws
  {
    let planted = try PlantedMachine("power-laptop")
    let digits = PlantedMachine.address.replacing(":", with: "")
    let names = ["battery|hid-\(PlantedMachine.address)-battery", "network|enx\(digits)"]
    let withheld = try open(planted, .none)
    for name in names {
      let source = try withheld.open(name)
      #expect(source.availability.state == .noHardware, "\(name)")
      #expect(
        source.metadata["path"]
          != .string("/sys/class/power_supply/hid-\(PlantedMachine.address)-battery"))
    }
    try withheld.close()
    let allowed = try open(planted, Allowance(categories: [.mac]))
    for name in names {
      let source = try allowed.open(name)
      #expect(source.availability.state == .available, "\(name)")
      #expect(!source.id.description.lowercased().contains(PlantedMachine.address))
      #expect(!source.id.description.contains(digits))
      guard case .list(let aliases)? = source.metadata["aliases"] else {
        Issue.record("no aliases")
        continue
      }
      #expect(aliases.contains { $0.text.map(name.hasSuffix) == true })
    }
    try allowed.close()
  }

  @Test func `4.13 N8 a mouse's battery and the mouse have the same digest`() throws {
    let planted = try PlantedMachine("power-laptop")
    let identity = MachineIdentity.of(planted.fixture.machine)
    let digest = identity.digest(of: PlantedMachine.address.uppercased())
    let context = try open(planted, .none)
    let ids = try context.sources().map(\.id.description)
    let wanted = [
      "battery|device.\(digest)", "battery|Pad.\(digest)", "battery|battery.\(digest)",
      "bluetooth_device|dev-\(digest)", "network|enx\(digest)",
    ]
    for id in wanted { #expect(ids.contains(id), "\(id)") }
    let path = try context.open("battery|device.\(digest)").metadata["path"]
    #expect(path?.text?.hasPrefix("/sys/class/power_supply/hid-\(digest)-battery") == true)
    try context.close()
  }
}
