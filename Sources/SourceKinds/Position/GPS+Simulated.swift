import Gathering

extension GPS {
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      Self.receiver(
        "usb-Simulated_GNSS_receiver-if00", device: "/dev/ttyACM0", latitude: 48.137,
        longitude: 11.575, height: 519)
    case .phone:
      Self.receiver(
        "%2Fdev%2Fgnss0", device: "/dev/gnss0", latitude: 52.52, longitude: 13.405, height: 36)
    }
  }

  /// A receiver by its name in ids, at a place in degrees and a height in metres.
  private static func receiver(
    _ name: String, device: String, latitude: Double, longitude: Double, height: Double
  ) -> String {
    let id = "gps|\(name)"
    return """
      0 add \(id)
      0 set \(id)/latitude \(latitude)
      0 wave \(id)/latitude sine 0.001 0.002
      0 set \(id)/longitude \(longitude)
      0 wave \(id)/longitude sine 0.0015 0.0013
      0 set \(id)/altitude_msl \(height)
      0 wave \(id)/altitude_msl sine 4 0.003
      0 set \(id)/altitude_ellipsoid \(height + 46.9)
      0 wave \(id)/altitude_ellipsoid sine 4 0.003
      0 set \(id)/horizontal_accuracy 3.2
      0 wave \(id)/horizontal_accuracy noise 0.5 1
      0 set \(id)/vertical_accuracy 5.8
      0 set \(id)/speed 1.4
      0 wave \(id)/speed sine 0.3 0.02
      0 set \(id)/speed_accuracy 0.4
      0 set \(id)/course 120
      0 wave \(id)/course sine 60 0.01
      0 set \(id)/course_accuracy 8
      0 set \(id)/climb 0.1
      0 wave \(id)/climb sine 0.08 0.003
      0 set \(id)/climb_accuracy 0.6
      0 set \(id)/fix "3d"
      0 set \(id)/fix_quality "normal"
      0 absent \(id)/time noData the simulated receiver tells no time
      0 absent \(id)/time_accuracy noData the simulated receiver tells no time
      0 set \(id)/satellites_used 9
      0 set \(id)/satellites_visible 14
      0 set \(id)/hdop 0.9
      0 set \(id)/vdop 1.4
      0 set \(id)/pdop 1.7
      0 set \(id)/provider "gpsd"
      0 set \(id)/device "\(device)"
      """
  }
}
