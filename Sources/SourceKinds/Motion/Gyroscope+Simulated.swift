import Gathering

extension Gyroscope {
  func simulated(on device: BuiltInDevice) -> String {
    let chip = SimulatedChip(on: device, laptop: "gyro_3d", phone: "mpu6050")
    let id = "gyroscope|\(chip.name)"
    return """
      0 add \(id)
      \(chip.moving(id, ["rotation_rate"]))
      0 set \(id)/temperature 31
      0 wave \(id)/temperature sine 0.5 0.003
      \(chip.mounted(id, rate: 100))
      """
  }
}
