import Gathering

extension Capture {
  /// The camera of the laptop is used for half a minute of each two.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      """
      \(Self.device("PCH.0", "microphone", "HDA Intel PCH", "snd_hda_intel", builtIn: nil))
      0 set capture|PCH.0/in_use false
      0 set capture|PCH.0/evidence "stream"
      \(Self.device(Self.camera, "camera", "Integrated Camera", "uvcvideo", builtIn: true))
      0 set capture|\(Self.camera)/in_use false
      0 wave capture|\(Self.camera)/in_use ramp 1 0.008333333333333333
      0 set capture|\(Self.camera)/evidence "open"
      """
    case .phone:
      """
      \(Self.device("PinePhone.0", "microphone", "PinePhone", "asoc-simple-card", builtIn: nil))
      0 set capture|PinePhone.0/in_use false
      0 set capture|PinePhone.0/evidence "stream"
      """
    }
  }

  private static let camera = "Integrated%20Camera.usb-1-8:1.0"

  private static func device(
    _ instance: String, _ role: String, _ name: String, _ driver: String, builtIn: Bool?
  ) -> String {
    let id = "capture|\(instance)"
    let place =
      builtIn.map { "0 set \(id)/built_in \($0)" }
      ?? "0 absent \(id)/built_in unsupported only USB devices tell"
    return """
      0 add \(id)
      0 absent \(id)/since noData the simulation has no calendar
      0 absent \(id)/by noData the simulation has no programs
      0 set \(id)/role "\(role)"
      0 set \(id)/name "\(name)"
      0 set \(id)/driver "\(driver)"
      \(place)
      """
  }
}
