import Gathering
import Ground
import Machine
import Values

/// The open channels of a plan, and the matrix its vectors are turned by.
final class SensorChannels {
  let plan: SensorPlan
  /// How the sensor is mounted; nil for plans without vectors to turn.
  let mount: MountMatrix?
  /// The matrix as a property, or why there is none.
  let matrix: KeptOutcome

  private static let noMatrix = KeptOutcome(.unsupported("the driver tells no mount matrix"))

  private let parts: [SensorColumn]
  private let attributes: [IIOAttributes]

  init(_ plan: SensorPlan, on machine: Machine) {
    self.plan = plan
    let type = plan.columns.lazy.compactMap { column -> String? in
      if case .axes(let type) = column.quantity { type } else { nil }
    }.first
    let mount = plan.mount.flatMap { use in
      type.map { MountMatrix(of: $0, on: plan.device, of: machine, for: use) }
    }
    self.mount = mount
    matrix = mount.map { KeptOutcome($0.outcome) } ?? Self.noMatrix
    var attributes: [String: IIOAttributes] = [:]
    parts = plan.columns.map { column in
      let device = column.device
      let open = attributes[device.path] ?? IIOAttributes(of: device, in: machine.iio.files)
      attributes[device.path] = open
      let limits = device.limits(of: column, in: machine.iio.files)
      let channels = column.channels.map {
        IIOChannel($0, of: device, reading: open, direction: column.direction, limits: limits)
      }
      var matrix = mount?.rows
      guard case .axes(let type) = column.quantity else {
        return SensorColumn(column.property, of: channels)
      }
      if matrix != nil, let use = plan.mount, device.path != plan.device.path {
        // Channels of another device of the hub are mounted by that device's matrix, if it has one.
        let own = MountMatrix(of: type, on: device, of: machine, for: use)
        matrix = own.rows ?? matrix
      }
      return SensorColumn(column.property, axes: channels, matrix: matrix)
    }
    self.attributes = Array(attributes.values)
  }

  /// Whether vectors are turned into the device's frame; otherwise they are in the sensor's.
  var isTurned: Bool { mount?.rows != nil }

  /// Begins a reading: nothing read before counts, but settings within the second before a moment
  /// of boot time, if there is one.
  private func begin(at moment: Int64? = nil) {
    for attributes in attributes { attributes.begin(at: moment) }
  }

  /// Reads every column, in the order of the plan, but those of some properties. With a moment of
  /// boot time, settings read within the second before it count.
  func read(
    except left: Set<Int> = [], at moment: Int64? = nil, _ take: (SensorColumn) -> Void
  ) {
    begin(at: moment)
    for part in parts where left.isEmpty || !left.contains(part.property) { take(part) }
  }

  /// The last text a property came from; of a vector its axes', one a line.
  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let part = parts.first(where: { $0.property == index }) else {
      return index == plan.mountMatrix ? mount?.raw : nil
    }
    let texts = part.channels.compactMap(\.rawValue)
    guard let first = texts.first, texts.count == part.channels.count else { return nil }
    return texts.count == 1
      ? first : RawValue(texts.flatMap(\.bytes), place: texts.map(\.place).joined(separator: " "))
  }

  /// The conversions of a scan's raw numbers to the columns at these positions of the plan.
  func groups(_ positions: [Int]) throws(IIOChannel.Unreadable) -> [ScanGroup] {
    begin()
    var groups: [ScanGroup] = []
    for position in positions { groups.append(try group(of: parts[position])) }
    return groups
  }

  private func group(of part: SensorColumn) throws(IIOChannel.Unreadable) -> ScanGroup {
    var factors: [Double] = []
    var addends: [Double] = []
    for channel in part.channels {
      let map = try channel.map()
      let count = channel.name.hasSuffix("quaternion") ? 4 : 1
      factors += [Double](repeating: map.factor, count: count)
      addends += [Double](repeating: map.addend, count: count)
    }
    let width = factors.count
    var matrix = [Double](repeating: 0, count: width * width)
    var offset = [Double](repeating: 0, count: width)
    for row in 0..<width {
      for column in 0..<width {
        let turn = part.matrix.map { $0[row * 3 + column] } ?? (row == column ? 1 : 0)
        matrix[row * width + column] = turn * factors[column] + 0
        offset[row] += turn * addends[column]
      }
    }
    return ScanGroup(channels: part.channels.map(\.name), matrix: matrix, offset: offset)
  }
}

extension IIODevice {
  /// The smallest and largest raw number of a column, if the driver reports them: `[min step max]`.
  func limits(of column: SensorPlan.Column, in files: any FileTree) -> ClosedRange<Double>? {
    guard let channel = column.channels.first,
      let name = attribute("raw_available", of: channel, direction: column.direction),
      let text = try? PolledFile("\(path)/\(name)", in: files).read(),
      let first = text.trimmed.first,
      first == UInt8(ascii: "["), text.trimmed.last == UInt8(ascii: "]")
    else { return nil }
    let numbers = Words(of: text.trimmed.dropFirst().dropLast()).compactMap(NumberText.decimal)
    guard numbers.count == 3, numbers[0] <= numbers[2] else { return nil }
    return numbers[0]...numbers[2]
  }
}
