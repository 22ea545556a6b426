import CLinux
import Glibc
import Ground

/// A PCM opened for capture through libasound; it belongs to the thread that opened it.
///
/// Requests one channel, 48 kHz and 16 bits, through ALSA's plug if the device has another format.
/// A period is 10 ms, the buffer has twenty.
final class SoundCapture {
  enum Wait {
    case ready, woken, quiet
  }

  enum ReadResult {
    /// Valid until the next call.
    case samples(UnsafeBufferPointer<Int16>)
    /// Samples were lost, and the capture continues.
    case lost
    case nothing
  }

  let format: SoundFormat
  private let device: String
  private let pcm: OpaquePointer
  private let sound: clinux_sound
  private let buffer: UnsafeMutableBufferPointer<Int16>
  private let descriptors: [pollfd]
  /// The machine slept, and the device is not awake so far.
  private var isAsleep = false

  /// Opens a PCM and starts it.
  static func open(_ device: String) throws(SystemError) -> SoundCapture {
    do throws(SystemError) {
      return try SoundCapture(named: device, device)
    } catch {
      // The device does not have this format, unless the plug converts it.
      let isPlain = !device.hasPrefix("plug") && !device.utf8.contains(UInt8(ascii: "'"))
      guard error.code == EINVAL && isPlain else { throw error }
      return try SoundCapture(named: "plug:SLAVE='\(device)'", device)
    }
  }

  private init(named name: String, _ device: String) throws(SystemError) {
    let sound = try Libasound.table()
    withUnsafePointer(to: sound) { clinux_sound_hush($0) }
    var opened: OpaquePointer?
    let mode = Int32(CLINUX_SOUND_NONBLOCK)
    try check(sound.pcm_open(&opened, name, Int32(CLINUX_SOUND_CAPTURE), mode), device)
    guard let pcm = opened else { throw SystemError(EIO, at: device) }
    self.sound = sound
    self.device = device
    self.pcm = pcm
    do throws(SystemError) {
      let (format, period) = try Self.negotiate(pcm, sound, device)
      descriptors = try Self.descriptors(of: pcm, sound, device)
      try check(sound.pcm_start(pcm), device)
      self.format = format
      buffer = .allocate(capacity: period * format.channels)
    } catch {
      _ = sound.pcm_close(pcm)
      throw error
    }
    buffer.initialize(repeating: 0)
  }

  deinit {
    // No sample outlives the capture.
    buffer.update(repeating: 0)
    buffer.deallocate()
    _ = sound.pcm_close(pcm)
  }

  /// Waits for samples, a wake-up or a time-out.
  func wait(or wake: WakeDescriptor, milliseconds: Int32) throws(SystemError) -> Wait {
    // A suspended device reports an error all the time: it is polled at intervals.
    var all = isAsleep ? [] : descriptors
    all.append(pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0))
    let answer = poll(&all, nfds_t(all.count), isAsleep ? 100 : milliseconds)
    if answer < 0 && errno != EINTR { throw SystemError(errno, at: device) }
    if answer <= 0 { return isAsleep ? .ready : .quiet }
    if all[all.count - 1].revents != 0 { return .woken }
    var events: UInt16 = 0
    let count = UInt32(all.count - 1)
    try check(sound.pcm_poll_descriptors_revents(pcm, &all, count, &events), device)
    // A read reports the error.
    return events == 0 ? .quiet : .ready
  }

  /// Reads at most one period. Throws ENODEV if the device was removed.
  func read() throws(SystemError) -> ReadResult {
    // A part that a plug-in leaves out is silence, not the previous content.
    buffer.update(repeating: 0)
    let room = UInt(buffer.count / format.channels)
    let frames = sound.pcm_readi(pcm, buffer.baseAddress, room)
    if frames < 0 { return try recover(from: Int32(clamping: -frames)) }
    isAsleep = false
    let samples = min(frames * format.channels, buffer.count)
    return samples > 0 ? .samples(UnsafeBufferPointer(rebasing: buffer[..<samples])) : .nothing
  }

  private func recover(from code: Int32) throws(SystemError) -> ReadResult {
    switch code {
    case EAGAIN, EINTR: return .nothing
    case EPIPE: break
    case ESTRPIPE:
      // A device that is not resumed yet returns EAGAIN; one that cannot resume is started anew.
      let answer = sound.pcm_resume(pcm)
      isAsleep = answer == -EAGAIN
      if isAsleep { return .nothing }
      if answer == 0 { return .lost }
    default: throw SystemError(code, at: device)
    }
    try check(sound.pcm_prepare(pcm), device)
    try check(sound.pcm_start(pcm), device)
    isAsleep = false
    return .lost
  }
}

extension SoundCapture {
  /// Agrees on a format with a device; with it, how many frames a period has.
  private static func negotiate(
    _ pcm: OpaquePointer, _ sound: clinux_sound, _ device: String
  ) throws(SystemError) -> (SoundFormat, period: Int) {
    var made: OpaquePointer?
    try check(sound.pcm_hw_params_malloc(&made), device)
    guard let wishes = made else { throw SystemError(ENOMEM, at: device) }
    defer { sound.pcm_hw_params_free(wishes) }
    var (rate, period, length) = (UInt32(48_000), UInt32(10_000), UInt32(200_000))
    var frames = UInt(0)
    let access = UInt32(CLINUX_SOUND_INTERLEAVED)
    let format = clinux_sound_format()
    try check(sound.pcm_hw_params_any(pcm, wishes), device)
    try check(sound.pcm_hw_params_set_access(pcm, wishes, access), device)
    try check(sound.pcm_hw_params_set_format(pcm, wishes, format), device)
    try check(sound.pcm_hw_params_set_channels(pcm, wishes, 1), device)
    try check(sound.pcm_hw_params_set_rate_near(pcm, wishes, &rate, nil), device)
    try check(sound.pcm_hw_params_set_period_time_near(pcm, wishes, &period, nil), device)
    try check(sound.pcm_hw_params_set_buffer_time_near(pcm, wishes, &length, nil), device)
    try check(sound.pcm_hw_params(pcm, wishes), device)
    try check(sound.pcm_hw_params_get_period_size(wishes, &frames, nil), device)
    guard rate > 0 else { throw SystemError(EINVAL, at: device) }
    // A device of strange periods costs no more room than a second.
    let block = max(1, min(Int(clamping: frames), Int(rate)))
    return (SoundFormat(rate: Int(rate), channels: 1), block)
  }

  private static func descriptors(
    of pcm: OpaquePointer, _ sound: clinux_sound, _ device: String
  ) throws(SystemError) -> [pollfd] {
    let count = sound.pcm_poll_descriptors_count(pcm)
    guard count > 0 else { throw SystemError(count < 0 ? -count : EIO, at: device) }
    var found = [pollfd](repeating: pollfd(), count: Int(count))
    let filled = sound.pcm_poll_descriptors(pcm, &found, UInt32(count))
    guard filled >= 0 else { throw SystemError(-filled, at: device) }
    return Array(found.prefix(Int(filled)))
  }
}

/// Throws the errno that a call of libasound answered with.
private func check(_ answer: Int32, _ device: String) throws(SystemError) {
  guard answer >= 0 else { throw SystemError(answer == .min ? EIO : -answer, at: device) }
}
