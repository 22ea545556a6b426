import Gathering
import Ground

/// The plan of a reader: which channels become which properties of its kind.
struct SensorPlan: Sendable {
  /// One property made of one channel or of three axes.
  struct Column: Sendable {
    enum Quantity: Equatable, Sendable {
      /// A channel: `temp`, `pressure`, `rot_quaternion`.
      case number(String)
      /// The x, y and z of a type: `accel`, `magn`.
      case axes(String)
    }

    /// The index of the property.
    var property: Int
    var quantity: Quantity
    /// The device that has the channels: the sensor itself, or one on the same hub.
    var device: IIODevice
    /// `in`, or `out` for outputs of the device.
    var direction = "in"

    /// The names of the channels.
    var channels: [String] {
      switch quantity {
      case .number(let channel): [channel]
      case .axes(let type): IIODevice.axes.map { "\(type)_\($0)" }
      }
    }
  }

  /// The sensor.
  var device: IIODevice
  /// The properties that have channels, the main one first.
  var columns: [Column]
  /// How many columns from the first have to be in a buffer for it to be of use; 0: any will do.
  var mustStream = 1
  /// The index of the first property of the common tail.
  var tail: Int
  /// The index of `mount_matrix`; nil for a kind without vectors, or without that property.
  var mountMatrix: Int?
  /// The vectors a mount matrix is applied to; nil if they stay in the sensor's frame.
  var mount: MountMatrix.Use?
  /// Whether the tail ends with `frame`.
  var hasFrame = false
  /// Properties this sensor has nothing for, and why.
  var absent: [Int: String] = [:]

  /// A plan for the channels of a device; `tail` is where the common tail begins in the table.
  init(_ device: IIODevice, columns: [Column], tail: Int) {
    self.device = device
    self.columns = columns
    self.tail = tail
  }

  /// A plan of single channels: each property takes the first of those named for it, and one
  /// without any is absent.
  init(_ device: IIODevice, numbers: [(property: Int, channels: [String])], tail: Int) {
    var columns: [Column] = []
    var absent: [Int: String] = [:]
    for (property, channels) in numbers {
      if let channel = channels.first {
        columns.append(Column(property: property, quantity: .number(channel), device: device))
      } else {
        absent[property] = "the sensor does not measure it"
      }
    }
    self.init(device, columns: columns, tail: tail)
    self.absent = absent
  }
}

/// Computes values that a sensor does not report, for the rows of a stream.
protocol SensorRule: Sendable {
  /// Adds the computed columns.
  func derive(_ block: inout SampleBlock)
}

/// A rule that does so for a reading, too, where the kind's own `derive` cannot.
protocol SensorReadingRule: SensorRule, AnyObject {
  /// Fills in the values computed from the rest of a reading.
  func derive(_ reading: inout Reading)
}
