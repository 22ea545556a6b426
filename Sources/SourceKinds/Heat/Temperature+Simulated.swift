import Gathering

extension Temperature {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
    0 add temperature|coretemp:temp1
    0 set temperature|coretemp:temp1/temperature 53
    0 wave temperature|coretemp:temp1/temperature sine 8 0.01
    0 set temperature|coretemp:temp1/role "chip"
    0 set temperature|coretemp:temp1/high 100
    0 set temperature|coretemp:temp1/critical 100
    0 set temperature|coretemp:temp1/fault false
    0 absent temperature|coretemp:temp1/sampling_frequency unsupported the sensor is polled
    0 set temperature|coretemp:temp1/acquisition "poll"
    0 set temperature|coretemp:temp1/driver "coretemp"
    0 set temperature|coretemp:temp1/label "Package id 0"
    0 absent temperature|coretemp:temp1/location noData its place is not recorded
    """

  private static let phone = """
    0 add temperature|lis3mdl.temp
    0 set temperature|lis3mdl.temp/temperature 33
    0 wave temperature|lis3mdl.temp/temperature sine 2 0.005
    0 set temperature|lis3mdl.temp/role "chip"
    0 absent temperature|lis3mdl.temp/high unsupported the sensor has no limits
    0 absent temperature|lis3mdl.temp/critical unsupported the sensor has no limits
    0 absent temperature|lis3mdl.temp/fault unsupported the sensor does not test itself
    0 set temperature|lis3mdl.temp/sampling_frequency 10
    0 set temperature|lis3mdl.temp/acquisition "poll"
    0 set temperature|lis3mdl.temp/driver "lis3mdl"
    0 absent temperature|lis3mdl.temp/label unsupported the driver gives none
    0 set temperature|lis3mdl.temp/location "display"
    """
}
