import Gathering

extension Switches {
  static var about: KindMeaning {
    KindMeaning(
      "switches of the case and the sockets: lid, tablet mode, plugs, dock, covers",
      from: "evdev, else logind, else UPower",
      instances: "the aggregate, then the input devices that have switches")
  }
}

extension Switches.Field {
  var meaning: Meaning {
    switch self {
    case .lidClosed:
      Meaning("whether the lid is closed", from: "SW_LID; logind LidClosed; UPower LidIsClosed")
    case .tabletMode: Meaning("whether the device is folded to a tablet", from: "SW_TABLET_MODE")
    case .headphoneInserted:
      Meaning("whether a headphone is plugged in", from: "SW_HEADPHONE_INSERT")
    case .microphoneInserted:
      Meaning("whether a microphone is plugged in", from: "SW_MICROPHONE_INSERT")
    case .docked: Meaning("whether the device is in a dock", from: "SW_DOCK; logind Docked")
    case .cameraCovered: Meaning("whether the camera is covered", from: "SW_CAMERA_LENS_COVER")
    case .muted: Meaning("whether a switch mutes the device", from: "SW_MUTE_DEVICE")
    }
  }
}
