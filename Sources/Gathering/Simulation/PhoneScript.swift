/// The built-in device `phone`: a handset that is being charged, running on fixed functions of
/// time.
enum PhoneScript {
  /// Its script: all lines act at opening, so that an idle device stays idle.
  static let text = [
    memory, processors, storage, network, wireless, battery, heat, screen,
    MicrophoneScript.room(rms: -36, peak: -22), metadata, switches, sensors, BluetoothScript.text,
    CellRadioScript.text,
  ].joined(separator: "\n")

  private static let memory = """
    0 add memory|machine
    0 set memory|machine/total 3985506304
    0 set memory|machine/available 2147483648
    0 wave memory|machine/available sine 134217728 0.01
    0 set memory|machine/free 536870912
    0 wave memory|machine/free sine 67108864 0.01
    0 set memory|machine/buffers 52428800
    0 set memory|machine/cached 1468006400
    0 set memory|machine/reclaimable 104857600
    0 set memory|machine/shared 157286400
    0 set memory|machine/dirty 524288
    0 wave memory|machine/dirty noise 262144 0.2
    0 set memory|machine/swap_total 2147479552
    0 set memory|machine/swap_free 1879048192
    0 set memory|machine/swap_cached 8388608
    0 set memory|machine/zswap 67108864
    0 absent memory|machine/pressure_some_avg10 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_some_avg60 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_some_avg300 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_avg10 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_avg60 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_avg300 unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_some_total unsupported this kernel measures no pressure
    0 absent memory|machine/pressure_full_total unsupported this kernel measures no pressure
    0 absent memory|machine/cgroup_limit noData no limit is set
    0 set memory|machine/cgroup_current 209715200
    """

  private static let processors =
    (0..<4).map {
      BuiltInScript.processor(
        $0, busy: 0.1 + 0.02 * Double($0), clock: 816_000_000, maximum: 1_416_000_000)
    }.joined(separator: "\n") + "\n" + BuiltInScript.processors(load: 1.4)

  private static let storage = """
    \(BuiltInScript.volume(
      "storage|%2F", at: "/", total: 30_601_641_984, free: 18_253_611_008, read: 40_000,
      written: 20_000))
    0 set storage|%2F/source "/dev/mmcblk2p2"
    0 set storage|%2F/volume_label "phone"
    0 set storage|%2F/model "Simulated eMMC"
    0 set storage|%2F/uuid "8d0a6c52-7be1-4b9f-a0e3-55c1b7a9d301"
    """

  private static let network = """
    \(BuiltInScript.interface("lo", type: "loopback", received: 100, sent: 100))
    0 absent network|lo/speed noData a loop has no speed
    0 set network|lo/mtu 65536
    0 set network|lo/ipv4_addresses "127.0.0.1/8"
    0 set network|lo/ipv6_addresses "::1/128"
    0 set network|lo/mac "00:00:00:00:00:00"
    \(BuiltInScript.interface("wlan0", type: "wifi", received: 9_000, sent: 2_000))
    0 absent network|wlan0/speed noData the driver tells no speed
    0 set network|wlan0/ipv4_addresses "192.0.2.33/24"
    0 set network|wlan0/ipv6_addresses "2001:db8::33/64"
    0 set network|wlan0/mac "02:00:5E:20:00:01"
    \(BuiltInScript.interface("wwan0", type: "cellular", received: 1_000, sent: 1_000))
    0 absent network|wwan0/speed noData the driver tells no speed
    0 set network|wwan0/ipv4_addresses "198.51.100.9/30"
    0 absent network|wwan0/ipv6_addresses noData none is assigned
    0 absent network|wwan0/mac noData a modem has none
    """

  private static let wireless = WirelessScript.station(
    "wlan0", mac: "02:00:5E:20:00:01", signal: -64, received: 9_000, sent: 2_000)

  private static let battery = """
    0 add battery|axp20x-battery
    0 set battery|axp20x-battery/level 0.55
    0 wave battery|axp20x-battery/level sine 0.2 0.0002
    0 set battery|axp20x-battery/level_word "normal"
    0 set battery|axp20x-battery/state "charging"
    0 set battery|axp20x-battery/external_power true
    0 set battery|axp20x-battery/energy 21780
    0 wave battery|axp20x-battery/energy sine 7920 0.0002
    0 set battery|axp20x-battery/energy_full 39600
    0 set battery|axp20x-battery/energy_full_design 41580
    0 set battery|axp20x-battery/power 4.2
    0 wave battery|axp20x-battery/power sine 0.8 0.02
    0 set battery|axp20x-battery/voltage 3.92
    0 wave battery|axp20x-battery/voltage sine 0.1 0.0002
    0 set battery|axp20x-battery/current 1.07
    0 wave battery|axp20x-battery/current sine 0.2 0.02
    0 absent battery|axp20x-battery/temperature unsupported the gauge measures none
    0 absent battery|axp20x-battery/cycle_count noData the gauge does not count
    0 set battery|axp20x-battery/condition "Good"
    0 set battery|axp20x-battery/technology "Li-ion"
    0 absent battery|axp20x-battery/manufacturer unsupported the gauge does not tell
    0 absent battery|axp20x-battery/model unsupported the gauge does not tell
    0 absent battery|axp20x-battery/serial unsupported the gauge does not tell
    0 set battery|axp20x-battery/scope "system"
    """

  private static let heat = """
    0 add thermal|cpu0-thermal
    0 set thermal|cpu0-thermal/temperature 44
    0 wave thermal|cpu0-thermal/temperature sine 6 0.01
    0 absent thermal|cpu0-thermal/trip_active unsupported the zone has no active trip
    0 set thermal|cpu0-thermal/trip_passive 75
    0 set thermal|cpu0-thermal/trip_hot 90
    0 set thermal|cpu0-thermal/trip_critical 110
    0 set thermal|cpu0-thermal/enabled true
    0 add thermal|gpu-thermal
    0 set thermal|gpu-thermal/temperature 41
    0 wave thermal|gpu-thermal/temperature sine 4 0.008
    0 absent thermal|gpu-thermal/trip_active unsupported the zone has no active trip
    0 absent thermal|gpu-thermal/trip_passive unsupported the zone has no passive trip
    0 absent thermal|gpu-thermal/trip_hot unsupported the zone has no hot trip
    0 set thermal|gpu-thermal/trip_critical 110
    0 set thermal|gpu-thermal/enabled true
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

  private static let screen = """
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

  private static let metadata = """
    0 add device_metadata|machine
    0 set device_metadata|machine/os_id "postmarketos"
    0 set device_metadata|machine/os_name "postmarketOS"
    0 set device_metadata|machine/os_version "v23.12"
    0 set device_metadata|machine/os_pretty_name "postmarketOS v23.12"
    0 absent device_metadata|machine/os_variant unsupported os-release names no variant
    0 absent device_metadata|machine/os_build unsupported os-release names no build
    0 set device_metadata|machine/kernel_name "Linux"
    0 set device_metadata|machine/kernel_release "6.6.5-phone"
    0 set device_metadata|machine/kernel_version "#1 SMP PREEMPT 2024-01-05"
    0 set device_metadata|machine/architecture "aarch64"
    0 absent device_metadata|machine/vendor unsupported the devicetree names none
    0 set device_metadata|machine/model "Simulated Phone"
    0 absent device_metadata|machine/model_version unsupported the devicetree names none
    0 absent device_metadata|machine/family unsupported the devicetree names none
    0 absent device_metadata|machine/sku unsupported the devicetree names none
    0 absent device_metadata|machine/board_vendor unsupported there is no DMI
    0 absent device_metadata|machine/board_name unsupported there is no DMI
    0 absent device_metadata|machine/firmware_vendor unsupported there is no DMI
    0 absent device_metadata|machine/firmware_version unsupported there is no DMI
    0 absent device_metadata|machine/firmware_date unsupported there is no DMI
    0 set device_metadata|machine/chassis "handset"
    0 set device_metadata|machine/serial "SIM-0002"
    0 absent device_metadata|machine/hardware_uuid unsupported there is no DMI
    0 set device_metadata|machine/hostname "simulated-phone"
    0 set device_metadata|machine/pretty_hostname "Simulated Phone"
    0 set device_metadata|machine/device_id "7b14e0f2c95d4a8ab3f6d17e20c8954a"
    0 set device_metadata|machine/boot_id "d3a9f6b1-04e7-4c28-9b60-5f1e72c8ad94"
    0 set device_metadata|machine/boot_time @1699740800000000000
    0 set device_metadata|machine/uptime 50259200
    0 wave device_metadata|machine/uptime ramp 50000000 0.00000001
    0 set device_metadata|machine/cpu_model "Simulated Processor A4"
    0 set device_metadata|machine/logical_cpus 4
    0 set device_metadata|machine/physical_cores 4
    0 set device_metadata|machine/memory_total 3985506304
    0 set device_metadata|machine/locale "C.UTF-8"
    0 set device_metadata|machine/timezone "Etc/UTC"
    """

  private static let switches = """
    0 add switches|Headphone%20Jack.sound
    0 absent switches|Headphone%20Jack.sound/lid_closed unsupported no such switch
    0 absent switches|Headphone%20Jack.sound/tablet_mode unsupported no such switch
    0 set switches|Headphone%20Jack.sound/headphone_inserted false
    0 set switches|Headphone%20Jack.sound/microphone_inserted false
    0 absent switches|Headphone%20Jack.sound/docked unsupported no such switch
    0 absent switches|Headphone%20Jack.sound/camera_covered unsupported no such switch
    0 absent switches|Headphone%20Jack.sound/muted unsupported no such switch
    """

  private static let sensors: String = {
    let motion = MotionScript.Chip(name: "mpu6050", driver: "mpu6050", incline: 35)
    let field = MotionScript.Chip(name: "lis3mdl", driver: "lis3mdl", incline: 35)
    let light = MotionScript.Chip(name: "stk3310", driver: "stk3310")
    return [
      PositionScript.receiver(
        "%2Fdev%2Fgnss0", device: "/dev/gnss0", latitude: 52.52, longitude: 13.405, height: 36),
      MotionScript.accelerometer(motion, orientation: "bottom-up"),
      MotionScript.gyroscope(motion), MotionScript.magnetometer(field),
      MotionScript.attitude(motion),
      MotionScript.altimeter(MotionScript.Chip(name: "bmp280", driver: "bmp280")),
      SurroundingsScript.light(light, lux: 180), SurroundingsScript.proximity(light),
      SurroundingsScript.humidity(MotionScript.Chip(name: "hts221", driver: "hts221")),
      SurroundingsScript.steps(MotionScript.Chip(name: "bma400", driver: "bma400")),
      SurroundingsScript.converter(
        MotionScript.Chip(name: "axp20x-adc", driver: "axp20x-adc", location: "unknown"),
        volts: 3.92),
    ].joined(separator: "\n")
  }()
}
