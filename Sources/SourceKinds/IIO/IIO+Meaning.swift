import Gathering

extension IIO {
  static var about: KindMeaning {
    KindMeaning(
      "a device of Industrial I/O, whole: first a property for each of its channels",
      from: "IIO, in /sys/bus/iio/devices or of an iiod",
      instances: "every IIO device")
  }
}
