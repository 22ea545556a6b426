import Gathering

extension DeviceAttitude {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip.displayAccelerometer(on: device)
    let id = "device_attitude|\(chip.name)"
    let keys = [
      "attitude", "roll", "pitch", "yaw", "gravity", "user_acceleration", "rotation_rate",
    ]
    return """
      0 add \(id)
      \(chip.moving(id, keys))
      0 set \(id)/reference "magnetic_north"
      0 set \(id)/accuracy "high"
      0 set \(id)/magnetic_disturbance false
      0 set \(id)/at_rest false
      0 set \(id)/inverted false
      \(chip.tail(id, rate: 100))
      0 set \(id)/frame "device"
      """
  }
}
