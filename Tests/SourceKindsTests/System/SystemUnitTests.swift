import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct SystemUnitTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(SystemUnit(), machine: machine.with(files: files)), files)
  }

  private static let ssh = "/sys/fs/cgroup/system.slice/ssh.service"

  @Test func `our own group comes first, then the tree in natural order`() throws {
    let units = try harness("units-debian").0
    #expect(
      units.names == [
        "1000:gathered.service", "init.scope", "system.slice", "-.mount", "dbus.socket",
        "docker-0123456789ab", "system.slice~2", "ssh.service~2",
        "libpod-conmon-\(String(repeating: "ab", count: 32)).scope", "ssh.service",
        "ssh2.service", "ssh10.service", "user.slice", "user-1000.slice", "user@1000.service",
        "1000:app.slice", "1000:app-org.gnome.Terminal.slice", "1000:user.slice",
        "libpod-fefefefefefe",
      ])
    let container = units.instance("docker-0123456789ab")
    #expect(
      container?.aliases == ["docker-\(String(repeating: "0123456789abcdef", count: 4)).scope"])
    #expect(units.discover().instances.allSatisfy { $0.availability == Self.available })
  }

  private static let available = Availability(.available, backend: "cgroup")

  @Test func `every file of a group reaches its own property`() throws {
    let ssh = try harness("units-debian").0.read("ssh.service")
    let mebibytes = { (count: Int64) in Value.int(count << 20) }
    #expect(ssh.payload("memory") == mebibytes(6))
    #expect(ssh.payload("memory_working_set") == .int(6 << 20 - 6 << 18))
    #expect(ssh.payload("memory_peak") == .int(6 << 20 + 8192))
    #expect(ssh.payload("memory_limit") == mebibytes(64))
    #expect(ssh.payload("swap") == .int(8192))
    #expect(ssh.payload("oom_kills") == .int(2))
    #expect(ssh["usage"]?.absence?.reason == "needs two readings")
    #expect(ssh.payload("cpu_time") == .double(2.469134))
    #expect(ssh.payload("throttled_time") == .double(0.005))
    #expect(ssh.payload("cpu_limit") == .double(0.5))
    #expect(ssh.payload("read_bytes") == .int(5096) && ssh.payload("written_bytes") == .int(8216))
    #expect(ssh.payload("read_operations") == .int(6))
    #expect(ssh.payload("write_operations") == .int(8))
    #expect(ssh.payload("tasks") == .int(6) && ssh.payload("task_limit") == .int(2000))
    #expect(ssh.payload("cpu_pressure") == .double(2.05))
    #expect(ssh.payload("memory_pressure") == .double(2.15))
    #expect(ssh.payload("io_pressure") == .double(2.25))
    #expect(ssh.payload("populated") == .bool(true) && ssh.payload("frozen") == .bool(false))
    #expect(ssh.text("type") == "service" && ssh.text("unit") == "ssh.service")
    #expect(ssh.text("parent") == "system.slice")
  }

  @Test func `a controller that is not enabled says what to set`() throws {
    let (units, files) = try harness("units-debian")
    let found = try units.read("ssh10.service")
    for (key, setting) in [
      "memory": "Memory", "memory_working_set": "Memory", "oom_kills": "Memory",
      "read_bytes": "IO", "write_operations": "IO", "throttled_time": "CPU", "cpu_limit": "CPU",
      "tasks": "Tasks", "task_limit": "Tasks",
    ] {
      #expect(found.status(key) == .unsupported, "\(key)")
      #expect(found[key]?.absence?.remedy == "set \(setting)Accounting=yes for this unit", "\(key)")
    }
    #expect(found.payload("cpu_time") == .double(4 * 1.234567))
    // It is in a slice with a limit of none.
    #expect(found["memory_limit"]?.absence?.reason == "no limit is set")
    #expect(try units.read("ssh2.service").status("memory_peak") == .unsupported)
    files.alter("\(Self.ssh)/cpu.pressure", .failing(95))
    let pressure = try units.read("ssh.service")["cpu_pressure"]
    #expect(pressure?.status == .unsupported && pressure?.absence?.remedy == "boot with psi=1")
  }

  @Test func `the least limit on the way to the root counts`() throws {
    let (units, files) = try harness("units-debian")
    #expect(try units.read("1000:gathered.service").payload("memory_limit") == .int(2 << 30))
    #expect(
      try units.raw("1000:gathered.service", "memory_limit")?.place
        == "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/memory.max")
    files.write("1048576\n", to: "/sys/fs/cgroup/user.slice/memory.max")
    #expect(try units.read("1000:gathered.service").payload("memory_limit") == .int(1 << 20))
    files.write("much\n", to: "/sys/fs/cgroup/user.slice/user-1000.slice/memory.max")
    #expect(try units.read("1000:gathered.service").status("memory_limit") == .failed)
  }

  @Test func `usage is the processor time of the span, and a restart begins anew`() throws {
    let (units, files) = try harness("units-debian")
    let path = "\(Self.ssh)/cpu.stat"
    let later = try units.readTwice("ssh.service", apart: 2) {
      files.write("usage_usec 5469134\n", to: path)
    }
    #expect(abs(try #require(later.double("usage")) - 1.5) < 1e-9)
    let restarted = try units.readTwice("ssh.service") {
      files.write("usage_usec 10\n", to: path)
    }
    #expect(restarted["usage"]?.absence?.reason == "needs two readings")
  }

  @Test func `containers of Kubernetes, docker, buildkit and lxc have short names`() throws {
    let units = try harness("units-kubernetes").0
    let pod = "pod0a1b2c3d-0001-4aaa-8bbb-000000000001"
    #expect(
      units.names == [
        "docker-555555555555", "buildkit-xyz1kq9vm4h2", "kubepods", "besteffort", "burstable",
        pod, "kubepods-c0ffee00beef", "crio-deadbeef0123", "kubepods.slice",
        "kubepods-besteffort.slice", "cri-containerd-999999999999", "lxc.payload.web",
      ])
    let container = try units.read("kubepods-c0ffee00beef")
    #expect(container.text("type") == "container" && container.text("parent") == pod)
    #expect(container.payload("memory_limit") == .int(1 << 30))
    #expect(try units.read(pod).text("type") == "slice")
    #expect(try units.read("docker-555555555555").status("parent") == .noData)
  }

  @Test func `a container sees its own tree, whose root is itself`() throws {
    let units = try harness("units-container").0
    #expect(units.names == ["container", "init.scope"])
    let detail = units.instance("container")?.availability.detail
    #expect(detail == "only the tree of this container is seen")
    let own = try units.read("container")
    #expect(own.payload("memory_limit") == .int(400 << 20) && own.text("type") == "container")
    #expect(own.status("unit") == .noData && own.status("parent") == .noData)
    #expect(try units.read("init.scope").payload("memory_limit") == .int(400 << 20))
    #expect(try units.read("init.scope").text("parent") == "container")
  }

  @Test func `a machine of version 1, and one without groups, say what to do`() throws {
    let (units, files) = try harness("units-debian")
    files.alter("/sys/fs/cgroup/cgroup.controllers", .missing)
    let older = units.discover()
    #expect(older.instances.isEmpty && older.absence.state == .unsupportedByKernel)
    #expect(older.absence.remedy == "boot with systemd.unified_cgroup_hierarchy=1")
    files.alter("/sys/fs/cgroup", .missing)
    #expect(units.discover().absence.remedy == "mount the file system cgroup2 at /sys/fs/cgroup")
    let empty = try machine(of: ["/sys/fs/cgroup/cgroup.controllers": "cpu\n"])
    #expect(KindHarness(SystemUnit(), machine: empty).discover().absence.state == .noHardware)
  }

  @Test func `a group that is gone has nothing to say`() throws {
    let fixture = try FixtureMachine([
      "/sys/fs/cgroup/cgroup.controllers": "cpu\n",
      "/sys/fs/cgroup/a.service/cgroup.events": "populated 1\n",
      "/sys/fs/cgroup/a.service/cpu.stat": "usage_usec 1000000\n",
    ])
    let kind = SystemUnit()
    let instance = try #require(kind.discover(on: fixture.machine).instances.first)
    let reader = try #require(try kind.open(instance, on: fixture.machine))
    var reading = Reading(properties: kind.properties.count)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    #expect(reading[SystemUnit.Field.cpuTime] == .ok(.double(1)))
    try fixture.remove("/sys/fs/cgroup/a.service")
    reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
    #expect(reading[SystemUnit.Field.cpuTime].absence?.reason == "the group is gone")
    #expect(reading[SystemUnit.Field.frozen].status == .noData)
    #expect(reading[SystemUnit.Field.unit] == .ok(.string("a.service")))
  }

  @Test(arguments: [
    ("8:0 rbytes=1 wbytes=2\n8:0 rbytes=3 wbytes=4\n", ValueStatus.failed),
    ("8:0 rbytes=-1\n", .failed), ("8:0 rbytes=9223372036854775807\n8:1 rbytes=1\n", .failed),
    ("8:0 wbytes=2\n", .ok), ("8:0 \n8:16 rbytes=5\n", .ok), ("", .ok), ("\n", .ok),
  ])
  func `each device counts once`(text: String, status: ValueStatus) throws {
    let (units, files) = try harness("units-debian")
    files.write(text, to: "\(Self.ssh)/io.stat")
    let found = try units.read("ssh.service")
    #expect(found.status("read_bytes") == status)
    if status == .ok { #expect(found.payload("read_bytes") == .int(text.contains("=5") ? 5 : 0)) }
  }

  @Test(arguments: ["50000 0", "50000", "-1 100000", "50000 100000 1", "max 0"])
  func `a quota without a period is none`(text: String) throws {
    let (units, files) = try harness("units-debian")
    files.write("\(text)\n", to: "\(Self.ssh)/cpu.max")
    #expect(try units.read("ssh.service").status("cpu_limit") == .failed)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    var files: [String: HostileFile] = [:]
    for (file, keys) in [
      "memory.peak": ["memory_peak"], "memory.swap.current": ["swap"],
      "memory.events": ["oom_kills"], "cpu.stat": ["cpu_time", "throttled_time"],
      "cpu.max": ["cpu_limit"], "pids.current": ["tasks"], "pids.max": ["task_limit"],
      "cpu.pressure": ["cpu_pressure"], "memory.pressure": ["memory_pressure"],
      "io.pressure": ["io_pressure"], "cgroup.events": ["populated", "frozen"],
    ] {
      files[file] = HostileFile(own: keys)
    }
    files["memory.current"] = HostileFile(own: ["memory"], derived: ["memory_working_set"])
    files["memory.stat"] = HostileFile(derived: ["memory_working_set"])
    // Without one of its own, the group has the limit of those above.
    files["memory.max"] = HostileFile(derived: ["memory_limit"])
    // A group that did nothing yet has an empty one.
    files["io.stat"] = HostileFile(
      derived: ["read_bytes", "written_bytes", "read_operations", "write_operations"])
    try expectOnlyOwnValuesChange(
      SystemUnit(), on: machine(named: "units-debian"), instance: "ssh.service", files: files,
      ignoring: ["/sys/fs/cgroup/system.slice/memory.max", "/proc/self/cgroup"])
  }

  @Test func `many units are opened without a look at the whole tree for each`() throws {
    let root = "/sys/fs/cgroup"
    let fixture = try FixtureMachine([
      "/proc/self/cgroup": "0::/\n", "\(root)/cgroup.controllers": "cpu\n",
      "\(root)/a.service/cgroup.events": "populated 1\nfrozen 0\n",
      "\(root)/b.service/cgroup.events": "populated 0\nfrozen 0\n",
    ])
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [SystemUnit()])
    #expect(try context.sources().count == 2)
    let looks = fixture.files.reads(of: "/proc/self/cgroup")
    for name in ["a", "b"] {
      let source = try context.open("unit|\(name).service")
      #expect(source.availability.state == .available)
    }
    #expect(fixture.files.reads(of: "/proc/self/cgroup") == looks)
    try fixture.remove("\(root)/b.service/cgroup.events")
    try fixture.remove("\(root)/b.service")
    let gone = try context.open("unit|b.service")
    #expect(gone.availability.state != .available)
    #expect(fixture.files.reads(of: "/proc/self/cgroup") > looks)
    try context.close()
  }
}
