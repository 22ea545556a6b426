import Gathering

extension SystemUnit {
  /// A laptop has our own unit, a service, a container near its limit and a slice; a phone our own
  /// unit and two services.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      [
        Self.unit("gathered.service", in: "system.slice", megabytes: 24, limit: nil),
        Self.unit("docker-0123456789ab", in: "system.slice", megabytes: 480, limit: 512),
        Self.unit("ssh.service", in: "system.slice", megabytes: 9, limit: nil),
        Self.unit("user.slice", in: nil, megabytes: 3200, limit: nil),
      ].joined(separator: "\n")
    case .phone:
      [
        Self.unit("gathered.service", in: "system.slice", megabytes: 18, limit: nil),
        Self.unit("ModemManager.service", in: "system.slice", megabytes: 12, limit: nil),
        Self.unit("NetworkManager.service", in: "system.slice", megabytes: 20, limit: nil),
      ].joined(separator: "\n")
    }
  }

  private static func unit(
    _ name: String, in parent: String?, megabytes: Int, limit: Int?
  ) -> String {
    let id = "unit|\(name)"
    let mebibyte = 1 << 20
    let container =
      limit == nil ? nil : "docker-0123456789ab\(String(repeating: "0", count: 52)).scope"
    let type = limit == nil ? name.split(separator: ".").last.map(String.init) ?? "" : "container"
    let most = limit.map { "set \(id)/memory_limit \($0 * mebibyte)" }
    let above = parent.map { "set \(id)/parent \"\($0)\"" }
    return """
      0 add \(id)
      0 set \(id)/memory \((megabytes + 8) * mebibyte)
      0 set \(id)/memory_working_set \(megabytes * mebibyte)
      0 wave \(id)/memory_working_set sine \(mebibyte * 3) 0.02
      0 set \(id)/memory_peak \((megabytes + 16) * mebibyte)
      0 \(most ?? "absent \(id)/memory_limit noData no limit is set")
      0 set \(id)/swap 0
      0 set \(id)/oom_kills 0
      0 set \(id)/usage 0.05
      0 wave \(id)/usage sine 0.05 0.02
      \(SimulatedCounter.lines("\(id)/cpu_time", by: 1))
      0 absent \(id)/throttled_time unsupported the group has no cpu.max
      0 absent \(id)/cpu_limit unsupported the group has no cpu.max
      \(SimulatedCounter.lines("\(id)/read_bytes", by: 4096))
      \(SimulatedCounter.lines("\(id)/written_bytes", by: 16384))
      \(SimulatedCounter.lines("\(id)/read_operations", by: 1))
      \(SimulatedCounter.lines("\(id)/write_operations", by: 2))
      0 set \(id)/tasks \(max(1, megabytes / 8))
      0 set \(id)/task_limit 9000
      0 set \(id)/cpu_pressure 0.4
      0 set \(id)/memory_pressure 0
      0 set \(id)/io_pressure 0.1
      0 set \(id)/populated true
      0 set \(id)/frozen false
      0 set \(id)/type "\(type)"
      0 \(above ?? "absent \(id)/parent noData it is in no other unit")
      0 set \(id)/unit "\(container ?? name)"
      """
  }
}
