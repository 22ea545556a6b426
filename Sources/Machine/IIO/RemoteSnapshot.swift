import CLinux
import Glibc
import Ground

/// The devices behind a libiio URI and their attributes, by the names of the kernel's files.
final class RemoteSnapshot: @unchecked Sendable {
  // Safe: everything is found out in `init` and never changes; reading is done by one thread at a
  // time, which the link sees to.
  private enum Attribute {
    case text(String)
    case device(String)
    case channel(OpaquePointer, String)
  }

  private struct Device {
    let pointer: OpaquePointer
    let place: String
    let attributes: [String: Attribute]
  }

  private let context: LibiioContext
  private let devices: [String: Device]

  /// How long connecting may take, description included.
  private static let connectionLimit: Int64 = 10_000_000_000
  /// The most devices that are served, with all their attributes; no real machine has more.
  static let deviceLimit = 256
  private static let attributeLimit = 16_384
  /// The longest answer of an attribute that is read to its end; a file's is shorter.
  private static let answerLimit = 1 << 16

  /// Connects. Throws ECONNREFUSED, EHOSTUNREACH, ETIMEDOUT …; EMSGSIZE for a description or a
  /// number of devices that no machine has.
  init(uri: String) throws(SystemError) {
    let context = try LibiioContext(uri: uri, timeout: 2000, within: Self.connectionLimit)
    var devices: [String: Device] = [:]
    var attributes = 0
    for pointer in context.devices {
      if devices.count == Self.deviceLimit { throw SystemError(EMSGSIZE, at: uri) }
      let id = context.text(context.iio.device_get_id(pointer))
      let device = Self.device(pointer, id, context)
      attributes += device.attributes.count
      if attributes > Self.attributeLimit { throw SystemError(EMSGSIZE, at: uri) }
      devices[id] = device
    }
    self.context = context
    self.devices = devices
  }

  /// The kernel's names of the devices.
  var names: [String] { Array(devices.keys) }

  /// The place of a device as this host knows it: its name.
  func place(of device: String) -> String? { devices[device]?.place }

  /// The attributes of a device; those of its buffer begin with `scan_elements/`.
  func attributes(of device: String) -> [String]? {
    devices[device].map { Array($0.attributes.keys) }
  }

  func has(_ attribute: String, of device: String) -> Bool {
    devices[device]?.attributes[attribute] != nil
  }

  /// Reads an attribute as its file would: with a line feed at its end. Throws ETIMEDOUT after so
  /// many nanoseconds.
  func read(
    _ name: String, of device: String, within limit: Int64
  ) throws(SystemError) -> [UInt8] {
    let place = device + "/" + name
    guard let found = devices[device], let attribute = found.attributes[name] else {
      throw SystemError(ENOENT, at: place)
    }
    let iio = context.iio
    var bytes: [UInt8]
    switch attribute {
    case .text(let text): bytes = Array(text.utf8)
    case .device(let name):
      bytes = try ask(at: place, within: limit) {
        iio.device_attr_read(found.pointer, name, $0, $1)
      }
    case .channel(let channel, let name):
      bytes = try ask(at: place, within: limit) { iio.channel_attr_read(channel, name, $0, $1) }
    }
    if bytes.last != 10 { bytes.append(10) }
    return bytes
  }

  private func ask(
    at place: String, within limit: Int64, _ read: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(SystemError) -> [UInt8] {
    try Libiio.bounded(within: limit, bytes: Self.answerLimit, at: place) {
      () throws(SystemError) in try context.read(at: place, read)
    }
  }

  private static func device(
    _ pointer: OpaquePointer, _ id: String, _ context: LibiioContext
  ) -> Device {
    let iio = context.iio
    var found: [String: Attribute] = [:]
    for index in 0..<iio.device_get_attrs_count(pointer) {
      let name = context.text(iio.device_get_attr(pointer, index))
      found[name] = .device(name)
    }
    for channel in context.channels(of: pointer) {
      for index in 0..<iio.channel_get_attrs_count(channel) {
        guard let name = iio.channel_get_attr(channel, index) else { continue }
        let file = context.text(iio.channel_attr_get_filename(channel, name))
        if !file.isEmpty { found[file] = .channel(channel, String(cString: name)) }
      }
      describe(channel, context, &found)
    }
    let name = context.text(iio.device_get_name(pointer))
    let label = context.text(iio.device_get_label(pointer))
    if !name.isEmpty { found["name"] = .text(name) }
    if !label.isEmpty { found["label"] = .text(label) }
    let folder = (name.isEmpty ? id : name).map { $0 == "/" ? "_" : $0 }
    return Device(pointer: pointer, place: String(folder), attributes: found)
  }

  /// The three files of a scan element, which libiio keeps to itself.
  private static func describe(
    _ channel: OpaquePointer, _ context: LibiioContext, _ found: inout [String: Attribute]
  ) {
    let iio = context.iio
    guard iio.channel_is_scan_element(channel), let format = iio.channel_get_data_format(channel)
    else { return }
    let direction = iio.channel_is_output(channel) ? "out_" : "in_"
    let stem = "scan_elements/" + direction + context.name(of: channel)
    let type = format.pointee
    let repeats = type.repeat > 1 ? "X\(type.repeat)" : ""
    let sign = type.is_signed ? "s" : "u"
    found[stem + "_en"] = .text("0")
    found[stem + "_index"] = .text("\(iio.channel_get_index(channel))")
    found[stem + "_type"] = .text(
      "\(type.is_be ? "be" : "le"):\(sign)\(type.bits)/\(type.length)\(repeats)>>\(type.shift)")
  }
}
