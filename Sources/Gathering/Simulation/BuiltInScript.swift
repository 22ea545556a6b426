/// What the scripts of built-in devices have in common: things of which a device has several.
enum BuiltInScript {
  /// A logical CPU that is as busy as a slow wave makes it.
  static func processor(_ number: Int, busy: Double, clock: Double, maximum: Double) -> String {
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

  /// What all processors have together.
  static func processors(load: Double) -> String {
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

  /// A network interface that is up and carries so many bytes a second each way.
  static func interface(_ name: String, type: String, received: Int, sent: Int) -> String {
    let id = "network|\(name)"
    return """
      0 add \(id)
      0 set \(id)/state "up"
      0 set \(id)/carrier true
      0 set \(id)/type "\(type)"
      0 set \(id)/mtu 1500
      0 set \(id)/interface "\(name)"
      \(growing("\(id)/rx_bytes", by: received))
      \(growing("\(id)/tx_bytes", by: sent))
      \(growing("\(id)/rx_packets", by: max(received / 1000, 1)))
      \(growing("\(id)/tx_packets", by: max(sent / 1000, 1)))
      0 set \(id)/rx_errors 0
      0 set \(id)/tx_errors 0
      0 set \(id)/rx_dropped 3
      0 set \(id)/tx_dropped 0
      """
  }

  /// A file system on a solid-state disk, with its traffic in bytes a second.
  static func volume(
    _ id: String, at mountPoint: String, total: Int, free: Int, read: Int, written: Int
  ) -> String {
    """
    0 add \(id)
    0 set \(id)/mount_point "\(mountPoint)"
    0 set \(id)/filesystem "ext4"
    0 set \(id)/total \(total)
    0 set \(id)/free \(free)
    0 set \(id)/available \(free - total / 20)
    0 set \(id)/inodes_total \(total / 16384)
    0 set \(id)/inodes_free \(free / 16384)
    0 set \(id)/read_only false
    0 set \(id)/removable false
    0 set \(id)/rotational false
    \(growing("\(id)/read_bytes", by: read))
    \(growing("\(id)/written_bytes", by: written))
    \(growing("\(id)/read_operations", by: max(read / 20_000, 1)))
    \(growing("\(id)/write_operations", by: max(written / 20_000, 1)))
    0 set \(id)/discard_operations 1200
    0 set \(id)/flush_operations 5300
    0 set \(id)/in_flight 1
    0 wave \(id)/in_flight noise 1 1
    0 set \(id)/busy_time 500120
    0 wave \(id)/busy_time ramp 500000 0.00000001
    """
  }

  /// A counter that grows so much a second, for three years.
  static func growing(_ id: String, by perSecond: Int) -> String {
    let span = perSecond * 50_000_000
    return """
      0 set \(id) \(span + perSecond * 3600)
      0 wave \(id) ramp \(span) 0.00000001
      """
  }
}
