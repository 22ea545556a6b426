import Gathering

extension Bluetooth {
  static var about: KindMeaning {
    KindMeaning(
      "Bluetooth adapters: whether they are on, and who is connected",
      from: "BlueZ on D-Bus, else the presence in /sys/class/bluetooth",
      instances: "the adapters, those that are on first")
  }
}

extension Bluetooth.Field {
  var meaning: Meaning {
    switch self {
    case .powered: Meaning("whether it is on", from: "BlueZ Adapter1.Powered")
    case .discovering: Meaning("whether it looks for devices", from: "BlueZ Adapter1.Discovering")
    case .discoverable: Meaning("whether others can find it", from: "BlueZ Adapter1.Discoverable")
    case .pairable: Meaning("whether others can pair with it", from: "BlueZ Adapter1.Pairable")
    case .connectedCount:
      Meaning("its devices that are connected", from: "counted in BlueZ Device1.Connected")
    case .knownCount:
      Meaning("its devices that are paired, bonded or trusted", from: "counted in BlueZ Device1")
    case .address: Meaning("its address", from: "BlueZ Adapter1.Address")
    case .name: Meaning("its name, as others see it", from: "BlueZ Adapter1.Alias")
    }
  }
}
