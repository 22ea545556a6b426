import Gathering

extension BluetoothDevice {
  static var about: KindMeaning {
    KindMeaning(
      "Bluetooth devices that are known, connected or, during a discovery, nearby",
      from: "BlueZ on D-Bus",
      instances: "the devices, named by a digest of the address, connected ones first")
  }
}

extension BluetoothDevice.Field {
  var meaning: Meaning {
    switch self {
    case .connected: Meaning("whether it is connected", from: "BlueZ Device1.Connected")
    case .paired: Meaning("whether it is paired", from: "BlueZ Device1.Paired")
    case .trusted: Meaning("whether it may connect by itself", from: "BlueZ Device1.Trusted")
    case .servicesResolved:
      Meaning("whether its services are known", from: "BlueZ Device1.ServicesResolved")
    case .rssi: Meaning("strength of what was received of it last", from: "BlueZ Device1.RSSI")
    case .txPower: Meaning("power with which it says it sends", from: "BlueZ Device1.TxPower")
    case .batteryLevel: Meaning("how full its battery is", from: "BlueZ Battery1.Percentage ÷ 100")
    case .address: Meaning("its address", from: "BlueZ Device1.Address")
    case .addressType:
      Meaning("whether the address is its own or changes", from: "BlueZ Device1.AddressType")
    case .name: Meaning("its name", from: "BlueZ Device1.Alias")
    case .serviceUuids: Meaning("services it offers, as UUIDs", from: "BlueZ Device1.UUIDs")
    case .manufacturerData:
      Meaning(
        "what its maker sends: the company's number, then data",
        from: "BlueZ Device1.ManufacturerData")
    case .icon: Meaning("what it is, as the name of an icon", from: "BlueZ Device1.Icon")
    case .`class`:
      Meaning("what it is, as a number of the Bluetooth SIG", from: "BlueZ Device1.Class")
    case .adapter: Meaning("the source of its adapter", from: "BlueZ Device1.Adapter")
    }
  }
}
