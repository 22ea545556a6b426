import Ground
import Machine
import Testing
import Values

@testable import Gathering
@testable import SourceKinds

/// Sources C1 for `ip:` and `iio=`.
@Suite struct RemoteURITests {
  @Test(arguments: [
    "pi.local", "pi.local:30431", "192.168.1.7", "192.168.1.7:1", "[fe80::1]:65535", "fe80::1",
    "my_host-2",
  ])
  func `a host, with a port or without, is what an ip context opens`(host: String) throws {
    let uri = try ContextURI("ip:" + host)
    #expect(uri.target == .remote(host: host))
    #expect(!uri.hasManualClock)
    #expect(try ContextURI("local:iio=ip:" + host).redirections["iio"] == "ip:" + host)
  }

  @Test(arguments: [
    "ip:", "ip::80", "ip:host:", "ip:host:0", "ip:host:65536", "ip:host:-1", "ip:host:+1",
    "ip:host:80x", "ip:ho st", "ip:host/path", "ip:user@host", "ip:[fe80::1", "ip:[host]:1",
    "ip:[fe80::1]80", "ip:host&clock=manual", "ip:host&root=x", "ip:%ZZ", "ip:ho%00st",
    "local:nut=", "local:nut=nas:", "local:nut=nas:0", "local:nut=u@nas", "local:nut=[::1",
    "local:iio=", "local:iio=pi.local", "local:iio=ip:", "local:iio=ip:host:99999",
  ])
  func `what names no host is an invalid argument`(text: String) {
    let error = #expect(throws: SourceError.self) { _ = try ContextURI(text) }
    guard case .invalidArgument = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    ("nas", "nas", UInt16(3493)), ("nas:4000", "nas", 4000), ("[::1]:1", "::1", 1),
  ])
  func `nut= names an upsd, on its usual port unless another is given`(
    text: String, host: String, port: UInt16
  ) throws {
    #expect(try ContextURI("local:nut=" + text).redirections["nut"] == text)
    let address = try ContextURI.service(text, orElse: .upsd)
    #expect(address == ServiceAddress(host: host, port: port))
  }

  @Test func `N9: ids name the machine as its URI writes it, and mean it without the port`() {
    let name = DeviceName.host("pi.local:30431")
    let id = name.identifier(of: "bmi160", kind: "accelerometer")
    #expect(id.description == "accelerometer|bmi160@pi.local:30431")
    #expect(name.refusal(of: "pi.local:30431") == nil && name.refusal(of: "pi.local") == nil)
    #expect(name.refusal(of: "pi") != nil && name.refusal(of: "pi.local:1") != nil)
    #expect(DeviceName.host("[fe80::1]:80").refusal(of: "fe80::1") == nil)
    #expect(DeviceName.own.refusal(of: "pi.local") != nil)
  }

  @Test(arguments: [("BAT0", "pi"), ("a@b", "c@d"), ("/", "a b%"), ("x@", "@")])
  func `fleet F42 one of many machines is named by its instances`(own: String, device: String) {
    let name = DeviceName.name(of: own, on: device)
    let id = DeviceName.oneOfMany.identifier(of: name, kind: "disk")
    #expect(id.instance == own && id.device == device)
    #expect(DeviceName.oneOfMany.instance(of: id) == name)
  }

  @Test func `N9: in a remote context an id resolves with its machine and without`() throws {
    // No server listens there: what matters is which machine the ids name.
    let context = try Context.open("ip:127.0.0.1:1", catalogue: SourceCatalogue.all)
    let full = "accelerometer|bmi160@127.0.0.1:1"
    #expect(try context.open("accelerometer|bmi160").id.description == full)
    #expect(try context.open(full).id.description == full)
    #expect(throws: SourceError.self) { try context.open("accelerometer|bmi160@elsewhere") }
    try context.close()
    let local = try Context.open("sim:empty", catalogue: SourceCatalogue.all)
    #expect(throws: SourceError.self) { try local.open(full) }
    try local.close()
  }

  @Test func `another machine has its IIO devices, and no other kind any instance`() throws {
    let context = try Context.open("ip:127.0.0.1:1", catalogue: SourceCatalogue.all)
    #expect(try context.sources() == [])
    for kind in SourceCatalogue.all {
      let isIIO = kind.topics.contains(.devices(subsystem: "iio"))
      let state = try context.open(kind.kind).availability.state
      #expect(state == (isIIO ? .serviceNotRunning : .noHardware), "\(kind.kind)")
    }
    try context.close()
  }
}
