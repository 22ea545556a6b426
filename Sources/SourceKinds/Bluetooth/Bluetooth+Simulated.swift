import Gathering

extension Bluetooth {
  /// All devices have the same.
  func simulated(on device: BuiltInDevice) -> String {
    """
    0 add bluetooth|usb-1-8:1.0
    0 set bluetooth|usb-1-8:1.0/powered true
    0 set bluetooth|usb-1-8:1.0/discovering false
    0 set bluetooth|usb-1-8:1.0/discoverable false
    0 set bluetooth|usb-1-8:1.0/pairable true
    0 set bluetooth|usb-1-8:1.0/connected_count 1
    0 set bluetooth|usb-1-8:1.0/known_count 1
    0 set bluetooth|usb-1-8:1.0/address "02:00:00:00:00:01"
    0 set bluetooth|usb-1-8:1.0/name "simulated"
    """
  }
}
