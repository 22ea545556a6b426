import Gathering

extension DeviceAttitude {
  static var about: KindMeaning {
    KindMeaning(
      "how the device is turned in space, and how it moves",
      from: "IIO quaternion, else VQF of nine axes, else of six, else gravity alone",
      instances: "one for each motion unit, that of the display first")
  }
}

extension DeviceAttitude.Field {
  var meaning: Meaning {
    switch self {
    case .attitude:
      Meaning(
        "unit quaternion from the device's axes to east, north and up",
        from: "IIO in_rot_quaternion; VQF")
    case .roll:
      Meaning("turn about the device's y axis, after yaw and pitch", from: "attitude, as Z-Y'-X''")
    case .pitch: Meaning("turn about the device's x axis, after yaw", from: "attitude, as Z-Y'-X''")
    case .yaw: Meaning("turn about the vertical", from: "attitude, as Z-Y'-X''")
    case .gravity:
      Meaning("the part of the acceleration that is gravity", from: "attitude and acceleration")
    case .userAcceleration:
      Meaning("the part of the acceleration that is movement", from: "acceleration − gravity")
    case .rotationRate:
      Meaning(
        "speed of turning about each axis, without the sensor's bias",
        from: "IIO in_anglvel − the bias that VQF estimates")
    case .reference: Meaning("what yaw is counted from", from: "the backend in use")
    case .accuracy:
      Meaning(
        "how far the attitude can be trusted", from: "uncertainty of bias and inclination in VQF")
    case .magneticDisturbance:
      Meaning("whether the magnetic field is not that of the Earth at present", from: "VQF")
    case .atRest: Meaning("whether the device lies still", from: "VQF")
    case .inverted:
      Meaning(
        "whether acceleration is negated before it is used; can be set",
        from: "the session's setting, false at first")
    default: tailMeaning
    }
  }
}
