import Gathering

extension Screen {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    0 add screen|eDP-1
    0 set screen|eDP-1/brightness 0.6
    0 set screen|eDP-1/brightness_raw 57600
    0 set screen|eDP-1/brightness_max 96000
    0 set screen|eDP-1/power true
    0 set screen|eDP-1/width 1920
    0 set screen|eDP-1/height 1200
    0 set screen|eDP-1/refresh_rate 59.95
    0 set screen|eDP-1/physical_width 0.302
    0 set screen|eDP-1/physical_height 0.189
    0 set screen|eDP-1/modes "1920x1200 1920x1080 1280x800"
    0 set screen|eDP-1/connector "eDP-1"
    0 set screen|eDP-1/built_in true
    0 set screen|eDP-1/enabled true
    0 set screen|eDP-1/manufacturer "SIM"
    0 set screen|eDP-1/product_code 4660
    0 set screen|eDP-1/model "SIM140WU"
    0 set screen|eDP-1/year 2023
    0 set screen|eDP-1/serial "20230117"
    0 set screen|eDP-1/backlight_type "raw"
    """

  private static let phone = """
    0 add screen|DSI-1
    0 set screen|DSI-1/brightness 0.4
    0 set screen|DSI-1/brightness_raw 400
    0 set screen|DSI-1/brightness_max 1000
    0 set screen|DSI-1/power true
    0 set screen|DSI-1/width 720
    0 set screen|DSI-1/height 1440
    0 set screen|DSI-1/refresh_rate 60
    0 set screen|DSI-1/physical_width 0.068
    0 set screen|DSI-1/physical_height 0.136
    0 set screen|DSI-1/modes "720x1440"
    0 set screen|DSI-1/connector "DSI-1"
    0 set screen|DSI-1/built_in true
    0 set screen|DSI-1/enabled true
    0 absent screen|DSI-1/manufacturer unsupported the panel has no EDID
    0 absent screen|DSI-1/product_code unsupported the panel has no EDID
    0 absent screen|DSI-1/model unsupported the panel has no EDID
    0 absent screen|DSI-1/year unsupported the panel has no EDID
    0 absent screen|DSI-1/serial unsupported the panel has no EDID
    0 set screen|DSI-1/backlight_type "raw"
    """
}
