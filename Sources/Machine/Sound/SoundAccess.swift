public import Ground

/// How the sound of a machine is captured.
public struct SoundAccess: Sendable {
  /// Opens captures.
  public let captures: any SoundOpener
  /// The PCM that stands in for all capture devices; nil where they are the machine's own.
  public let onlyDevice: String?

  /// Access to the machine's own devices, or to one named PCM.
  public init(captures: any SoundOpener, onlyDevice: String? = nil) {
    self.captures = captures
    self.onlyDevice = onlyDevice
  }
}

/// Captures sound. Opening one is the private act: nothing opens a device to look at it.
public protocol SoundOpener: Sendable {
  /// The library that is missing, without which nothing can be opened; nil if it is there.
  var obstacle: MissingLibrary? { get }
  /// Begins to capture from an ALSA PCM, as 16-bit samples of one channel, until it is cancelled.
  ///
  /// Waits until the device is open, less than 2 s. `receive` is called on a thread of the
  /// opener's, one call at a time, `began` first and also before this returns. Throws EACCES,
  /// EBUSY, ENOENT, ELIBACC without the library, ETIMEDOUT.
  func open(
    _ device: String, receive: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SystemError) -> any Cancellable
}

/// An event of a capture.
public enum SoundEvent {
  /// It was opened, or opened again after it broke.
  case began(SoundFormat)
  /// Samples have come, which are there for the time of the call.
  case samples(UnsafeBufferPointer<Int16>)
  /// Samples were lost: they were not fetched in time, or the machine slept.
  case lost
  /// It broke and could not be opened again, at once nor 1 s nor 3 s later. Nothing follows.
  case ended(SystemError)
}

/// The format negotiated with a device.
public struct SoundFormat: Equatable, Sendable {
  /// Samples a second and channel.
  public var rate: Int
  /// How many channels there are.
  public var channels: Int

  /// A rate and a number of channels.
  public init(rate: Int, channels: Int) {
    self.rate = rate
    self.channels = channels
  }
}
