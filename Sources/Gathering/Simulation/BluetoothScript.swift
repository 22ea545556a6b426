/// The Bluetooth adapter of the built-in devices and the headset connected to it.
enum BluetoothScript {
  static let text = """
    0 add bluetooth|usb-1-8:1.0
    0 set bluetooth|usb-1-8:1.0/powered true
    0 set bluetooth|usb-1-8:1.0/discovering false
    0 set bluetooth|usb-1-8:1.0/discoverable false
    0 set bluetooth|usb-1-8:1.0/pairable true
    0 set bluetooth|usb-1-8:1.0/connected_count 1
    0 set bluetooth|usb-1-8:1.0/known_count 1
    0 set bluetooth|usb-1-8:1.0/address "02:00:00:00:00:01"
    0 set bluetooth|usb-1-8:1.0/name "simulated"
    0 add \(headset)
    0 set \(headset)/connected true
    0 set \(headset)/paired true
    0 set \(headset)/trusted true
    0 set \(headset)/services_resolved true
    0 set \(headset)/rssi -58
    0 wave \(headset)/rssi noise 6 1
    0 set \(headset)/tx_power 4
    0 set \(headset)/battery_level 0.7
    0 wave \(headset)/battery_level sine 0.2 0.0005
    0 set \(headset)/address "02:00:00:00:00:02"
    0 set \(headset)/address_type "public"
    0 set \(headset)/name "Simulated Headset"
    0 set \(headset)/service_uuids "\(services)"
    0 absent \(headset)/manufacturer_data noData no data is known
    0 set \(headset)/icon "audio-headset"
    0 set \(headset)/class 2360324
    0 set \(headset)/adapter "bluetooth|usb-1-8:1.0"
    """

  private static let headset = "bluetooth_device|dev-0f2a77c4e19b"
  private static let services =
    "0000110b-0000-1000-8000-00805f9b34fb 0000111e-0000-1000-8000-00805f9b34fb"
}
