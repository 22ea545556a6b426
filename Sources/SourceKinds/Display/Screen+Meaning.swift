import Gathering

extension Screen {
  static var about: KindMeaning {
    KindMeaning(
      "a connected screen: identity, mode and brightness",
      from: "/sys/class/drm with EDID, /sys/class/backlight, libdrm for the current mode",
      instances: "the connected screens, built-in ones first; a backlight without a screen")
  }
}

extension Screen.Field {
  var meaning: Meaning {
    switch self {
    case .brightness:
      Meaning(
        "brightness of the backlight; can be set",
        from: "actual_brightness, else brightness, ÷ max_brightness")
    case .brightnessRaw:
      Meaning("brightness in steps of the hardware", from: "actual_brightness, else brightness")
    case .brightnessMax: Meaning("the most steps the hardware has", from: "max_brightness")
    case .power:
      Meaning(
        "whether the screen is on", from: "bl_power of the backlight and dpms of the connector")
    case .width:
      Meaning(
        "columns of the current mode", from: "libdrm, else the preferred timing of EDID, else modes"
      )
    case .height:
      Meaning(
        "rows of the current mode", from: "libdrm, else the preferred timing of EDID, else modes")
    case .refreshRate: Meaning("pictures a second", from: "pixel clock ÷ (htotal × vtotal)")
    case .physicalWidth:
      Meaning("width of the picture", from: "EDID: timing block in mm, else base block in cm")
    case .physicalHeight:
      Meaning("height of the picture", from: "EDID: timing block in mm, else base block in cm")
    case .modes:
      Meaning("sizes the screen offers, such as 1920x1080", from: "modes of the connector")
    case .connector: Meaning("the socket", from: "name of the folder in /sys/class/drm")
    case .builtIn:
      Meaning(
        "whether it is a part of the device", from: "eDP, LVDS or DSI in the connector's name")
    case .enabled: Meaning("whether a picture is sent to it", from: "enabled of the connector")
    case .manufacturer: Meaning("maker, in three letters", from: "EDID bytes 8 and 9")
    case .productCode: Meaning("the maker's number of the model", from: "EDID bytes 10 and 11")
    case .model: Meaning("name of the model", from: "EDID descriptor 0xFC")
    case .year: Meaning("year it was made", from: "EDID byte 17")
    case .serial: Meaning("serial number", from: "EDID descriptor 0xFF, else bytes 12 to 15")
    case .backlightType: Meaning("who moves the backlight", from: "type of the backlight")
    }
  }
}
