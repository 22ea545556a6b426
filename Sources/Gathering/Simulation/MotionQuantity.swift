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
    var instant = MotionInstant(motion, at: moment)
    return value(of: &instant)
  }

  /// The same where other quantities are asked for at the same moment.
  func value(of instant: inout MotionInstant) -> Value {
    let (motion, time) = (instant.motion, instant.time)
    switch self {
    case .acceleration: return .vector(Vector(instant.acceleration.whole))
    case .gravity: return .vector(Vector(instant.acceleration.gravity))
    case .linearAcceleration, .userAcceleration:
      let (whole, gravity) = instant.acceleration
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

/// A motion at one moment. What several quantities build on is computed once.
struct MotionInstant {
  let motion: SimulatedMotion
  /// In seconds.
  let time: Double
  /// What an accelerometer finds, and the part of gravity in it.
  private(set) lazy var acceleration = motion.acceleration(at: time)

  init(_ motion: SimulatedMotion, at moment: SimulatedTime) {
    self.motion = motion
    time = Double(moment.boot) / 1e9
  }
}

extension Vector {
  fileprivate init(_ axes: SimulatedMotion.Axes) { self.init(axes.x, axes.y, axes.z) }
}
