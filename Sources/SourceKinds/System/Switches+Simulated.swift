import Gathering

extension Switches {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    0 add switches|Lid%20Switch.PNP0C0D:00
    0 set switches|Lid%20Switch.PNP0C0D:00/lid_closed false
    0 absent switches|Lid%20Switch.PNP0C0D:00/tablet_mode unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/headphone_inserted unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/microphone_inserted unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/docked unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/camera_covered unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/muted unsupported no such switch
    """

  private static let phone = """
    0 add switches|Headphone%20Jack.sound
    0 absent switches|Headphone%20Jack.sound/lid_closed unsupported no such switch
    0 absent switches|Headphone%20Jack.sound/tablet_mode unsupported no such switch
    0 set switches|Headphone%20Jack.sound/headphone_inserted false
    0 set switches|Headphone%20Jack.sound/microphone_inserted false
    0 absent switches|Headphone%20Jack.sound/docked unsupported no such switch
    0 absent switches|Headphone%20Jack.sound/camera_covered unsupported no such switch
    0 absent switches|Headphone%20Jack.sound/muted unsupported no such switch
    """
}
