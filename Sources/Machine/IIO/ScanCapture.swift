import CLinux
import Glibc
import Ground

/// A device's buffer, opened through libiio; it belongs to one thread.
final class ScanCapture {
  /// The configuration a buffer is opened with.
  struct Plan: Sendable {
    var uri: String
    /// `iio:device0`
    var device: String
    var channels: Set<String>
    var interval: Int64

    var isRemote: Bool { uri != "local:" }

    /// Whether a buffer opened for this, on a device of these rates, serves another plan too.
    func covers(_ other: Plan, at rates: RateTable) -> Bool {
      channels.isSuperset(of: other.channels)
        && rates.covers(other.interval, with: interval)
    }
  }

  enum Wait {
    case ready, woken, quiet
  }

  let plan: Plan
  /// The boot time before the buffer was opened.
  let opening = LiveTime.boot
  /// The time between two scans; 0 if unknown.
  var interval: Int64 { rates.present }
  /// The rates the device grants for requested intervals.
  let rates: RateTable
  /// The name of the clock that stamps scans, if the device reports it.
  let clockName: String?
  private let context: LibiioContext
  private let device: OpaquePointer
  private let buffer: OpaquePointer
  private let enabled: [OpaquePointer]
  private var attributes: DeviceAttributes
  private let setsTrigger: Bool
  private var stampedRotation: StampedRotation?
  private var iio: clinux_iio { context.iio }

  /// How long a remote machine may keep silent.
  static let remoteTimeout: Int64 = 2_000_000_000

  /// Opens a buffer; one of a remote machine in as long as a stream waits to join it.
  ///
  /// Throws EACCES, EBUSY, ENODEV, ETIMEDOUT, EOPNOTSUPP for a channel or trigger lacking.
  static func open(_ plan: Plan) throws(SystemError) -> ScanCapture {
    try Libiio.bounded(within: plan.isRemote ? SharedBuffer.patience : .max, at: plan.device) {
      () throws(SystemError) in try ScanCapture(plan)
    }
  }

  private init(_ plan: Plan) throws(SystemError) {
    self.plan = plan
    let wait = plan.isRemote ? max(Self.remoteTimeout, plan.interval.multipliedSafely(by: 3)) : 0
    let context = try LibiioContext(uri: plan.uri, timeout: UInt32(clamping: wait / 1_000_000))
    self.context = context
    let iio = context.iio
    guard let device = iio.context_find_device(context.pointer, plan.device) else {
      throw SystemError(ENODEV, at: plan.device)
    }
    self.device = device
    enabled = try Self.enable(plan, of: device, in: context)
    setsTrigger = try Self.assignTrigger(to: device, plan, in: context)
    var attributes = DeviceAttributes(of: device, in: context)
    rates = attributes.setRate(interval: plan.interval, channels: enabled)
    let period = rates.present > 0 ? rates.present : plan.interval
    clockName = attributes.setClock()
    let elements = enabled.compactMap { channel -> ScanElement? in
      let format = iio.channel_get_data_format(channel)?.pointee
      return format.flatMap { try? ScanFormat($0) }.map { format in
        ScanElement(
          name: context.name(of: channel), index: iio.channel_get_index(channel), format: format)
      }
    }
    stampedRotation = StampedRotation(elements)
    // Blocks of ten milliseconds: a hundred wake-ups a second are the most.
    let least = Int(max(1, min(1024, 10_000_000 / max(period, 1))))
    let samples = stampedRotation?.samples(atLeast: least) ?? least
    let queue = Self.queued(every: period)
    guard let buffer = Self.create(device, samples: samples, queue: queue, in: iio) else {
      let failure = errno == 0 ? EIO : abs(errno)
      attributes.putBack()
      if setsTrigger { _ = iio.device_set_trigger(device, nil) }
      throw SystemError(failure, at: plan.device)
    }
    self.buffer = buffer
    self.attributes = attributes
    if !plan.isRemote { _ = iio.buffer_set_blocking_mode(buffer, false) }
  }

  /// Closes the buffer and puts everything back; a remote machine that does not answer is left.
  func close() {
    let limit = plan.isRemote ? Self.remoteTimeout : .max
    try? Libiio.bounded(within: limit, at: plan.device) { () throws(SystemError) in putBack() }
  }

  private func putBack() {
    iio.buffer_destroy(buffer)
    for channel in enabled { iio.channel_disable(channel) }
    attributes.putBack()
    if setsTrigger { _ = iio.device_set_trigger(device, nil) }
  }

  /// Ends a blocking refill from another thread.
  var canceller: BufferCanceller { BufferCanceller(buffer: buffer, iio: iio) }

  /// Waits for scans, a wake-up or a time-out. A remote buffer is always to be refilled.
  func wait(or wake: WakeDescriptor, milliseconds: Int32) -> Wait {
    guard !plan.isRemote else { return .ready }
    var polled = [
      pollfd(fd: iio.buffer_get_poll_fd(buffer), events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, 2, milliseconds)
    if polled[1].revents != 0 { return .woken }
    return count > 0 && polled[0].revents != 0 ? .ready : .quiet
  }

  /// Takes the data received. Throws the errno; 0 bytes are the end of data.
  func refill() throws(SystemError) -> Int {
    let count = iio.buffer_refill(buffer)
    guard count >= 0 else { throw SystemError(Int32(clamping: -count), at: plan.device) }
    return count
  }

  /// The records of the last refill; not to be used after the next.
  var records: UnsafeRawBufferPointer {
    guard let start = iio.buffer_start(buffer), let end = iio.buffer_end(buffer), end >= start
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: end - start)
  }

  /// Where the channels of a record lie.
  var layout: ScanLayout { stampedRotation?.layout(of: records) ?? toldLayout }

  /// The layout reported by libiio, which another client of the server may change.
  private var toldLayout: ScanLayout {
    var elements: [ScanElement] = []
    var offsets: [Int] = []
    guard let start = iio.buffer_start(buffer) else { return ScanLayout([]) }
    for channel in enabled {
      guard let format = iio.channel_get_data_format(channel)?.pointee,
        let understood = try? ScanFormat(format), let place = iio.buffer_first(buffer, channel)
      else { continue }
      let index = iio.channel_get_index(channel)
      elements.append(
        ScanElement(name: context.name(of: channel), index: index, format: understood))
      offsets.append(place - start)
    }
    let size = max(0, iio.buffer_step(buffer))
    // An element that is not inside a record cannot be read.
    let inside = elements.indices.filter {
      offsets[$0] >= 0 && offsets[$0] + elements[$0].format.size <= size
    }
    return ScanLayout(
      elements: inside.map { elements[$0] }, offsets: inside.map { offsets[$0] },
      recordSize: size)
  }

  /// The scans that fit in the kernel's queue, for times when the thread does not fetch them: of
  /// four seconds, and as many as a hub sends at once after it was held up; 4096 are some 128 KiB.
  private static func queued(every interval: Int64) -> Int {
    Int(max(1024, min(4096, 4_000_000_000 / max(interval, 1))))
  }

  /// Creates a buffer with a shorter queue in the kernel if memory is short; nil with errno set.
  private static func create(
    _ device: OpaquePointer, samples: Int, queue: Int, in iio: clinux_iio
  ) -> OpaquePointer? {
    var blocks = max(4, queue / samples)
    while true {
      _ = iio.device_set_kernel_buffers_count(device, UInt32(clamping: blocks))
      errno = 0
      let buffer = iio.device_create_buffer(device, samples, false)
      if buffer != nil || abs(errno) != ENOMEM || blocks < 8 { return buffer }
      blocks /= 2
    }
  }

  private static func enable(
    _ plan: Plan, of device: OpaquePointer, in context: LibiioContext
  ) throws(SystemError) -> [OpaquePointer] {
    // With a stamp behind a quaternion kernel and libiio disagree about the record, which only
    // the kernel's own records settle.
    let isUnsettled = plan.isRemote && plan.channels.contains("rot_quaternion")
    let optional: Set<String> = isUnsettled ? [] : [ScanElement.stampName]
    var missing = plan.channels
    var enabled: [OpaquePointer] = []
    for channel in context.channels(of: device)
    where context.iio.channel_is_scan_element(channel) && !context.iio.channel_is_output(channel) {
      let name = context.name(of: channel)
      if plan.channels.contains(name) || optional.contains(name) {
        missing.remove(name)
        context.iio.channel_enable(channel)
        enabled.append(channel)
      } else if context.iio.channel_is_enabled(channel) {
        context.iio.channel_disable(channel)
      }
    }
    if let lacking = missing.min() {
      throw SystemError(EOPNOTSUPP, at: plan.device + "/scan_elements/in_" + lacking + "_en")
    }
    return enabled
  }

  /// Sees to a trigger: one that is assigned stays, else the device's own; whether it was set.
  private static func assignTrigger(
    to device: OpaquePointer, _ plan: Plan, in context: LibiioContext
  ) throws(SystemError) -> Bool {
    let iio = context.iio
    var present: OpaquePointer?
    let answer = iio.device_get_trigger(device, &present)
    // A device without triggers needs none.
    if answer < 0 || present != nil { return false }
    let name = context.text(iio.device_get_name(device))
    let number = plan.device.drop { !$0.isNumber }
    let own = context.devices.first { other in
      iio.device_is_trigger(other)
        && context.text(iio.device_get_name(other)) == "\(name)-dev\(number)"
    }
    guard let own else { throw SystemError(EOPNOTSUPP, at: plan.device + "/trigger") }
    let failure = iio.device_set_trigger(device, own)
    guard failure >= 0 else { throw SystemError(-failure, at: plan.device + "/trigger") }
    return true
  }
}

/// Ends the refill of a buffer that must not have been destroyed yet.
struct BufferCanceller: @unchecked Sendable {
  // Safe: libiio allows this one call from any thread, and the buffer's owner forgets the canceller
  // under a lock before it destroys the buffer.
  fileprivate let buffer: OpaquePointer
  fileprivate let iio: clinux_iio

  func cancel() {
    iio.buffer_cancel(buffer)
  }
}

extension ScanFormat {
  fileprivate init(_ format: iio_data_format) throws(ScanFormatError) {
    try self.init(
      isBigEndian: format.is_be, isSigned: format.is_signed, bits: Int(format.bits),
      storage: Int(format.length), shift: Int(format.shift), repeats: max(1, Int(format.repeat)))
  }
}

extension Int64 {
  fileprivate func multipliedSafely(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
