public import Ground

/// How the IIO devices of a machine are reached: attributes as files, samples from buffers.
///
/// Everything that finds and polls sensors reads `files`, wherever the devices are: on this
/// computer, in a captured tree or behind an iiod.
public struct IIOAccess: Sendable {
  /// Attributes below `/sys/bus/iio/devices`, one folder a device.
  public let files: any FileTree
  /// Opens buffers; nil where there are none.
  public let scans: (any ScanOpener)?
  /// Whether reading an attribute may take long: a bus, a sensor that wakes up, a network.
  public let mayBlock: Bool
  /// Whether the devices are behind a link, which may break.
  public let isRemote: Bool

  /// Access by files and buffers.
  public init(
    files: any FileTree, scans: (any ScanOpener)?, mayBlock: Bool, isRemote: Bool = false
  ) {
    self.files = files
    self.scans = scans
    self.mayBlock = mayBlock
    self.isRemote = isRemote
  }
}

/// Opens the buffers of IIO devices. Streams of one device share its buffer, which runs at the
/// fastest requested rate and holds every requested channel.
public protocol ScanOpener: Sendable {
  /// Begins to deliver the scans of a device until the stream is cancelled.
  ///
  /// `deliver` receives every scan of the hardware, in order, in blocks, on a thread of the opener
  /// or on the loop. `ended` is called at most once, when no more scans will come, with the errno
  /// (ENODEV for a removed device) or nil for the end of a captured file. Throws EACCES, EBUSY,
  /// ENODEV, ENOSYS … if no buffer can be opened.
  func open(
    _ request: ScanRequest, on loop: any Loop,
    deliver: @escaping @Sendable (ScanBlock) -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) throws(SystemError) -> any ScanStream
}

/// A running stream of scans.
public protocol ScanStream: Cancellable {
  /// The time between two scans in nanoseconds, as the device reports it after it was set; 0 if
  /// unknown.
  var interval: Int64 { get }

  /// The interval granted for a requested one, independent of other users of the hardware: that of
  /// the nearest rate of the device or, if it has only one rate, the requested interval, with scans
  /// left out.
  func granted(for asked: Int64) -> Int64

  /// Sets the hardware to the rate for a shorter interval. The next block reports scans lost
  /// meanwhile. Throws why the hardware could not be set.
  func quicken(to interval: Int64) throws(SystemError)
}

/// Hardware that has one rate.
extension ScanStream {
  /// Scans are left out for a reader with a longer interval.
  public func granted(for asked: Int64) -> Int64 { max(asked, interval) }

  /// It is as fast as it gets.
  public func quicken(to interval: Int64) throws(SystemError) {}
}

/// The request for a stream.
public struct ScanRequest: Sendable {
  /// The device's folder, `/sys/bus/iio/devices/iio:device0`.
  public var device: String
  /// The columns wanted.
  public var groups: [ScanGroup]
  /// The requested interval in nanoseconds: the rate is the smallest available one that is not
  /// lower.
  public var interval: Int64

  /// Columns of a device at an interval.
  public init(device: String, groups: [ScanGroup], interval: Int64) {
    self.device = device
    self.groups = groups
    self.interval = interval
  }
}

/// Channels of a scan that become one column: `matrix` × raw numbers + `offset`, once a scan.
public struct ScanGroup: Equatable, Sendable {
  /// Scan elements without `in_` and `_en`: `accel_x`, `rot_quaternion`. One that repeats (a
  /// quaternion) brings several numbers.
  public var channels: [String]
  /// Row by row; as many columns as the channels have numbers, as many rows as the column is wide.
  public var matrix: [Double]
  /// Added to each number of the column.
  public var offset: [Double]

  /// A column of channels and the map from raw numbers to units and frame.
  public init(channels: [String], matrix: [Double], offset: [Double]) {
    self.channels = channels
    self.matrix = matrix
    self.offset = offset
  }

  /// How many numbers a row of the column has.
  public var width: Int { offset.count }
}

/// Some scans of a device as columns.
public struct ScanBlock: Sendable {
  /// The clock that stamped the scans.
  public enum Stamp: Sendable {
    /// The driver or the kernel, by the time stamps of the buffer.
    case kernel
    /// None: the scans carry the time of arrival.
    case arrival
  }

  /// When each scan was taken, on CLOCK_BOOTTIME in nanoseconds, never falling.
  public var times: [Int64]
  /// The clock of the time stamps.
  public var stamp: Stamp
  /// One column a group of the request, its rows one after the other.
  public var columns: [[Double]]
  /// Whether scans were lost before the first.
  public var hasGap: Bool

  /// Scans as columns.
  public init(times: [Int64], stamp: Stamp, columns: [[Double]], hasGap: Bool) {
    self.times = times
    self.stamp = stamp
    self.columns = columns
    self.hasGap = hasGap
  }
}
