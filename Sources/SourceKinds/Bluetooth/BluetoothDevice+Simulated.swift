import Gathering

extension BluetoothDevice {
  /// All devices have the same.
  func simulated(on device: BuiltInDevice) -> String {
    """
    0 add \(Self.headset)
    0 set \(Self.headset)/connected true
    0 set \(Self.headset)/paired true
    0 set \(Self.headset)/trusted true
    0 set \(Self.headset)/services_resolved true
    0 set \(Self.headset)/rssi -58
    0 wave \(Self.headset)/rssi noise 6 1
    0 set \(Self.headset)/tx_power 4
    0 set \(Self.headset)/battery_level 0.7
    0 wave \(Self.headset)/battery_level sine 0.2 0.0005
    0 set \(Self.headset)/address "02:00:00:00:00:02"
    0 set \(Self.headset)/address_type "public"
    0 set \(Self.headset)/name "Simulated Headset"
    0 set \(Self.headset)/service_uuids "\(Self.services)"
    0 absent \(Self.headset)/manufacturer_data noData no data is known
    0 set \(Self.headset)/icon "audio-headset"
    0 set \(Self.headset)/class 2360324
    0 set \(Self.headset)/adapter "bluetooth|usb-1-8:1.0"
    """
  }

  private static let headset = "bluetooth_device|dev-0f2a77c4e19b"
  private static let services =
    "0000110b-0000-1000-8000-00805f9b34fb 0000111e-0000-1000-8000-00805f9b34fb"
}
