import Gathering

extension AmbientLight {
  static var about: KindMeaning {
    KindMeaning(
      "brightness and colour of the surroundings",
      from: "IIO illuminance and intensity, else light chips of hwmon, else iio-sensor-proxy",
      instances: "the chips")
  }
}

extension AmbientLight.Field {
  var meaning: Meaning {
    switch self {
    case .illuminance:
      Meaning(
        "how bright it is to the eye",
        from: "IIO in_illuminance; iio-sensor-proxy LightLevel in lux")
    case .intensity:
      Meaning(
        "brightness in numbers of the chip, without a unit",
        from: "IIO in_intensity_both or _clear; hwmon; iio-sensor-proxy")
    case .intensityRed:
      Meaning("brightness in red, in numbers of the chip", from: "IIO in_intensity_red")
    case .intensityGreen:
      Meaning("brightness in green, in numbers of the chip", from: "IIO in_intensity_green")
    case .intensityBlue:
      Meaning("brightness in blue, in numbers of the chip", from: "IIO in_intensity_blue")
    case .intensityInfrared:
      Meaning("brightness in infrared, in numbers of the chip", from: "IIO in_intensity_ir")
    case .colorTemperature:
      Meaning("colour of the light: low is warm, high is cold", from: "IIO in_colortemp")
    case .uvIndex: Meaning("strength of the ultraviolet light", from: "IIO in_uvindex")
    default: tailMeaning
    }
  }
}
