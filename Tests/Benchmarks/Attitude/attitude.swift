import Motion

/// A filter that goes on from one second of motion to the next.
private struct Filter {
  private var filter = VQF(
    gyroscopeInterval: 0.001, accelerometerInterval: 0.001, magnetometerInterval: 0.001)

  mutating func follow(_ motion: UnsafeMutableRawPointer, hasField: Bool) {
    let count = 1000
    let numbers = motion.assumingMemoryBound(to: Double.self)
    func vector(_ sensor: Int, _ sample: Int) -> Vector3 {
      let place = 3 * (sensor * count + sample)
      return Vector3(numbers[place], numbers[place + 1], numbers[place + 2])
    }
    var attitude = Quaternion.identity
    for sample in 0..<count {
      filter.updateGyroscope(vector(0, sample))
      filter.updateAccelerometer(vector(1, sample))
      if hasField {
        filter.updateMagnetometer(vector(2, sample))
        attitude = filter.attitude9D
      } else {
        attitude = filter.attitude6D
      }
    }
    let out = numbers + 9 * count
    (out[0], out[1], out[2], out[3]) = (attitude.w, attitude.x, attitude.y, attitude.z)
  }
}

// One thread uses them.
nonisolated(unsafe) private var level = Filter()
nonisolated(unsafe) private var full = Filter()

/// Follows a second of motion without its magnetic field.
@_cdecl("attitude_6d")
public func attitude6D(_ motion: UnsafeMutableRawPointer) {
  level.follow(motion, hasField: false)
}

/// Follows a second of motion.
@_cdecl("attitude_9d")
public func attitude9D(_ motion: UnsafeMutableRawPointer) {
  full.follow(motion, hasField: true)
}
