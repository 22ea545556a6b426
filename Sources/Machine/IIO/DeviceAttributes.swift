import CLinux
import Glibc
import Ground

/// The settings of one device through libiio. Changed settings are remembered and restored (P5).
struct DeviceAttributes {
  /// An attribute of the device, or of one of its channels.
  private struct Attribute {
    let channel: OpaquePointer?
    let name: String
  }

  private struct Change {
    let attribute: Attribute
    let old: String
  }

  let context: LibiioContext
  let device: OpaquePointer
  private var changes: [Change] = []

  init(of device: OpaquePointer, in context: LibiioContext) {
    self.context = context
    self.device = device
  }

  /// Sets the rate for an interval; returns the device's rates from then on.
  mutating func setRate(interval: Int64, channels: [OpaquePointer]) -> RateTable {
    guard let attribute = find("sampling_frequency", channels) else { return .silent }
    let list = find("sampling_frequency_available", channels).flatMap { try? read($0) }
    let choice = RateChoice(list ?? "")
    var wanted = choice.text(forHertz: 1e9 / Double(max(interval, 1)))
    let present = try? read(attribute)
    if let text = wanted, Double(text) != present.flatMap(Double.init),
      !set(attribute, to: text, old: present)
    {
      wanted = nil
    }
    let reported = try? read(attribute)
    return RateTable(
      present: reported.flatMap(Double.init).flatMap(Rate.interval(ofHertz:)),
      before: present.flatMap(Double.init).flatMap(Rate.interval(ofHertz:)), choice: choice,
      wrote: wanted)
  }

  /// Sets the time stamps to CLOCK_BOOTTIME; returns the name of the clock in use, nil if unknown.
  mutating func setClock() -> String? {
    guard let attribute = find("current_timestamp_clock", []), let present = try? read(attribute)
    else { return nil }
    if present == "boottime" { return present }
    _ = set(attribute, to: "boottime", old: present)
    return (try? read(attribute)) ?? present
  }

  /// Undoes all changes, the last first.
  mutating func putBack() {
    while let change = changes.popLast() { _ = write(change.attribute, change.old) }
  }

  /// Whether the device took it: a refused write costs a rate, never the source.
  private mutating func set(_ attribute: Attribute, to value: String, old: String?) -> Bool {
    guard write(attribute, value) else { return false }
    if let old { changes.append(Change(attribute: attribute, old: old)) }
    return true
  }

  private func find(_ name: String, _ channels: [OpaquePointer]) -> Attribute? {
    let iio = context.iio
    if iio.device_find_attr(device, name) != nil { return Attribute(channel: nil, name: name) }
    let owner = channels.first { iio.channel_find_attr($0, name) != nil }
    return owner.map { Attribute(channel: $0, name: name) }
  }

  private func read(_ attribute: Attribute) throws(SystemError) -> String {
    let iio = context.iio
    let bytes = try context.read(at: attribute.name) { room, size in
      if let channel = attribute.channel {
        return iio.channel_attr_read(channel, attribute.name, room, size)
      }
      return iio.device_attr_read(device, attribute.name, room, size)
    }
    return String(decoding: bytes.filter { $0 != 10 }, as: UTF8.self)
  }

  private func write(_ attribute: Attribute, _ value: String) -> Bool {
    // libiio drops the last byte of what it reads, so the value needs a line feed.
    let line = Array((value + "\n").utf8)
    let iio = context.iio
    if let channel = attribute.channel {
      return iio.channel_attr_write_raw(channel, attribute.name, line, line.count) >= 0
    }
    return iio.device_attr_write_raw(device, attribute.name, line, line.count) >= 0
  }
}
