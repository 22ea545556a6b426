import Motion
import Values

/// What sensors of a moving device publish, by the key of the property that has it.
enum MotionQuantity: String, CaseIterable, Sendable {
  case acceleration, gravity, attitude, roll, pitch, yaw, pressure
  case linearAcceleration = "linear_acceleration"
  case userAcceleration = "user_acceleration"
  case rotationRate = "rotation_rate"
  case magneticField = "magnetic_field"
  case magneticHeading = "magnetic_heading"

  /// The payload at a moment, whose CLOCK_BOOTTIME is the motion's time.
  func value(of motion: SimulatedMotion, at moment: SimulatedTime) -> Value {
    let time = Double(moment.boot) / 1e9
    switch self {
    case .acceleration: return .vector(Vector(motion.acceleration(at: time).whole))
    case .gravity: return .vector(Vector(motion.acceleration(at: time).gravity))
    case .linearAcceleration, .userAcceleration:
      let (whole, gravity) = motion.acceleration(at: time)
      return .vector(Vector(whole - gravity))
    case .rotationRate: return .vector(Vector(motion.rotationRate(at: time)))
    case .magneticField: return .vector(Vector(motion.magneticField(at: time)))
    case .attitude:
      let attitude = motion.attitude(at: time)
      return .vector(Vector(attitude.w, attitude.x, attitude.y, attitude.z))
    case .roll: return .double(motion.angles(at: time).roll)
    case .pitch: return .double(motion.angles(at: time).pitch)
    case .yaw: return .double(motion.angles(at: time).yaw)
    case .magneticHeading: return .double(motion.heading(at: time))
    case .pressure: return .double(motion.pressure(at: time))
    }
  }
}

extension Vector {
  fileprivate init(_ axes: SimulatedMotion.Axes) { self.init(axes.x, axes.y, axes.z) }
}
