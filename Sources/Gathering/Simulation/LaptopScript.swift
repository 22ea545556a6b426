/// The built-in device `laptop`: a convertible computer on battery, running on fixed functions of
/// time.
enum LaptopScript {
  /// Its script: all lines act at opening, so that an idle device stays idle.
  static let text = [
    memory, processors, storage, network, wireless, battery, heat, screen,
    MicrophoneScript.room(rms: -42, peak: -29), metadata, switches, sensors, BluetoothScript.text,
    CellRadioScript.text,
  ].joined(separator: "\n")

  private static let memory = """
    0 add memory|machine
    0 set memory|machine/total 16647688192
    0 set memory|machine/available 9663676416
    0 wave memory|machine/available sine 536870912 0.01
    0 set memory|machine/free 4294967296
    0 wave memory|machine/free sine 268435456 0.01
    0 set memory|machine/buffers 419430400
    0 set memory|machine/cached 5368709120
    0 set memory|machine/reclaimable 629145600
    0 set memory|machine/shared 786432000
    0 set memory|machine/dirty 2097152
    0 wave memory|machine/dirty noise 1048576 0.2
    0 set memory|machine/swap_total 8589930496
    0 set memory|machine/swap_free 8053063680
    0 set memory|machine/swap_cached 33554432
    0 absent memory|machine/zswap unsupported this kernel has no zswap
    0 set memory|machine/pressure_some_avg10 0.4
    0 wave memory|machine/pressure_some_avg10 sine 0.4 0.02
    0 set memory|machine/pressure_some_avg60 0.3
    0 set memory|machine/pressure_some_avg300 0.2
    0 set memory|machine/pressure_full_avg10 0.1
    0 set memory|machine/pressure_full_avg60 0.1
    0 set memory|machine/pressure_full_avg300 0.05
    0 set memory|machine/pressure_some_total 500036
    0 wave memory|machine/pressure_some_total ramp 500000 0.00000001
    0 set memory|machine/pressure_full_total 100009
    0 wave memory|machine/pressure_full_total ramp 100000 0.00000001
    0 absent memory|machine/cgroup_limit noData no limit is set
    0 set memory|machine/cgroup_current 734003200
    """

  private static let processors =
    (0..<4).map {
      BuiltInScript.processor(
        $0, busy: 0.18 + 0.04 * Double($0), clock: 2_100_000_000, maximum: 4_200_000_000)
    }.joined(separator: "\n") + "\n" + BuiltInScript.processors(load: 0.8)

  private static let storage = """
    \(BuiltInScript.volume(
      "storage|%2F", at: "/", total: 105_089_261_568, free: 61_203_283_968, read: 180_000,
      written: 90_000))
    0 set storage|%2F/source "/dev/nvme0n1p2"
    0 set storage|%2F/volume_label "system"
    0 set storage|%2F/model "Simulated NVMe 512"
    0 set storage|%2F/uuid "6f1c0b1e-5a52-4f0e-9d5b-2f5b8e1f0a01"
    \(BuiltInScript.volume(
      "storage|%2Fhome", at: "/home", total: 393_918_877_696, free: 203_928_109_056,
      read: 60_000, written: 40_000))
    0 set storage|%2Fhome/source "/dev/nvme0n1p3"
    0 set storage|%2Fhome/volume_label "home"
    0 set storage|%2Fhome/model "Simulated NVMe 512"
    0 set storage|%2Fhome/uuid "6f1c0b1e-5a52-4f0e-9d5b-2f5b8e1f0a02"
    """

  private static let network = """
    \(BuiltInScript.interface("lo", type: "loopback", received: 200, sent: 200))
    0 absent network|lo/speed noData a loop has no speed
    0 set network|lo/mtu 65536
    0 set network|lo/ipv4_addresses "127.0.0.1/8"
    0 set network|lo/ipv6_addresses "::1/128"
    0 set network|lo/mac "00:00:00:00:00:00"
    \(BuiltInScript.interface("enp0s31f6", type: "ethernet", received: 25_000, sent: 6_000))
    0 set network|enp0s31f6/speed 1000000000
    0 set network|enp0s31f6/ipv4_addresses "192.0.2.17/24"
    0 set network|enp0s31f6/ipv6_addresses "2001:db8::17/64"
    0 set network|enp0s31f6/mac "02:00:5E:10:00:01"
    \(BuiltInScript.interface("wlp2s0", type: "wifi", received: 4_000, sent: 1_000))
    0 absent network|wlp2s0/speed noData the driver tells no speed
    0 set network|wlp2s0/ipv4_addresses "192.0.2.18/24"
    0 set network|wlp2s0/ipv6_addresses "2001:db8::18/64"
    0 set network|wlp2s0/mac "02:00:5E:10:00:02"
    """

  private static let wireless = WirelessScript.station(
    "wlp2s0", mac: "02:00:5E:10:00:02", signal: -58, received: 4_000, sent: 1_000)

  private static let battery = """
    0 add battery|BAT0
    0 set battery|BAT0/level 0.72
    0 wave battery|BAT0/level sine 0.1 0.0002
    0 set battery|BAT0/level_word "normal"
    0 set battery|BAT0/state "discharging"
    0 set battery|BAT0/external_power false
    0 set battery|BAT0/energy 129600
    0 wave battery|BAT0/energy sine 18000 0.0002
    0 set battery|BAT0/energy_full 180000
    0 set battery|BAT0/energy_full_design 205200
    0 set battery|BAT0/power 11.2
    0 wave battery|BAT0/power sine 2.5 0.05
    0 set battery|BAT0/voltage 11.8
    0 wave battery|BAT0/voltage sine 0.2 0.0002
    0 set battery|BAT0/current 0.95
    0 wave battery|BAT0/current sine 0.2 0.05
    0 set battery|BAT0/temperature 31.5
    0 wave battery|BAT0/temperature sine 1.5 0.002
    0 set battery|BAT0/cycle_count 214
    0 set battery|BAT0/condition "Good"
    0 set battery|BAT0/technology "Li-ion"
    0 set battery|BAT0/manufacturer "Simulated Cells"
    0 set battery|BAT0/model "SIM-57"
    0 set battery|BAT0/serial "00042"
    0 set battery|BAT0/scope "system"
    """

  private static let heat = """
    0 add thermal|x86_pkg_temp
    0 set thermal|x86_pkg_temp/temperature 52
    0 wave thermal|x86_pkg_temp/temperature sine 8 0.01
    0 absent thermal|x86_pkg_temp/trip_active unsupported the zone has no active trip
    0 set thermal|x86_pkg_temp/trip_passive 95
    0 absent thermal|x86_pkg_temp/trip_hot unsupported the zone has no hot trip
    0 set thermal|x86_pkg_temp/trip_critical 100
    0 set thermal|x86_pkg_temp/enabled true
    0 add thermal|acpitz
    0 set thermal|acpitz/temperature 41
    0 wave thermal|acpitz/temperature sine 3 0.004
    0 set thermal|acpitz/trip_active 70
    0 absent thermal|acpitz/trip_passive unsupported the zone has no passive trip
    0 absent thermal|acpitz/trip_hot unsupported the zone has no hot trip
    0 set thermal|acpitz/trip_critical 103
    0 set thermal|acpitz/enabled true
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
    0 absent temperature|coretemp:temp1/location noData nobody wrote down where it is
    """

  private static let screen = """
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

  private static let metadata = """
    0 add device_metadata|machine
    0 set device_metadata|machine/os_id "debian"
    0 set device_metadata|machine/os_name "Debian GNU/Linux"
    0 set device_metadata|machine/os_version "12"
    0 set device_metadata|machine/os_pretty_name "Debian GNU/Linux 12 (bookworm)"
    0 absent device_metadata|machine/os_variant unsupported os-release names no variant
    0 absent device_metadata|machine/os_build unsupported os-release names no build
    0 set device_metadata|machine/kernel_name "Linux"
    0 set device_metadata|machine/kernel_release "6.1.0-18-amd64"
    0 set device_metadata|machine/kernel_version "#1 SMP Debian 6.1.76-1 (2024-02-01)"
    0 set device_metadata|machine/architecture "x86_64"
    0 set device_metadata|machine/vendor "GatheredKit"
    0 set device_metadata|machine/model "Simulated Laptop"
    0 set device_metadata|machine/model_version "1"
    0 set device_metadata|machine/family "Simulated"
    0 set device_metadata|machine/sku "SIM-LAPTOP"
    0 set device_metadata|machine/board_vendor "GatheredKit"
    0 set device_metadata|machine/board_name "SIMBOARD"
    0 set device_metadata|machine/firmware_vendor "GatheredKit"
    0 set device_metadata|machine/firmware_version "1.4.2"
    0 set device_metadata|machine/firmware_date "03/14/2024"
    0 set device_metadata|machine/chassis "laptop"
    0 set device_metadata|machine/serial "SIM-0001"
    0 set device_metadata|machine/hardware_uuid "4c4c4544-0053-4d10-8030-b4c04f4d3101"
    0 set device_metadata|machine/hostname "simulated-laptop"
    0 set device_metadata|machine/pretty_hostname "Simulated Laptop"
    0 set device_metadata|machine/device_id "2f9c1d5b7ae84d6f9b30c4e85a617d02"
    0 set device_metadata|machine/boot_id "0b7de2a4-6f3c-4e19-8d55-91c2a7f06e31"
    0 set device_metadata|machine/boot_time @1699956800000000000
    0 set device_metadata|machine/uptime 50043200
    0 wave device_metadata|machine/uptime ramp 50000000 0.00000001
    0 set device_metadata|machine/cpu_model "Simulated Processor i4"
    0 set device_metadata|machine/logical_cpus 4
    0 set device_metadata|machine/physical_cores 2
    0 set device_metadata|machine/memory_total 16647688192
    0 set device_metadata|machine/locale "en_GB.UTF-8"
    0 set device_metadata|machine/timezone "Europe/Berlin"
    """

  private static let switches = """
    0 add switches|Lid%20Switch.PNP0C0D:00
    0 set switches|Lid%20Switch.PNP0C0D:00/lid_closed false
    0 absent switches|Lid%20Switch.PNP0C0D:00/tablet_mode unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/headphone_inserted unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/microphone_inserted unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/docked unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/camera_covered unsupported no such switch
    0 absent switches|Lid%20Switch.PNP0C0D:00/muted unsupported no such switch
    """

  private static let sensors: String = {
    let label = "accel-display"
    let lid = MotionScript.Chip(
      name: "bma253.\(label)", driver: "bma253", label: label, incline: 65)
    let base = MotionScript.Chip(
      name: "kxcjk1013.accel-base", driver: "kxcjk1013", label: "accel-base", location: "base")
    let hub = { (driver: String) in
      MotionScript.Chip(name: driver, driver: driver, incline: 65)
    }
    return [
      MotionScript.accelerometer(lid, orientation: "bottom-up"),
      MotionScript.accelerometer(base, orientation: "undefined"),
      MotionScript.gyroscope(hub("gyro_3d")), MotionScript.magnetometer(hub("magn_3d")),
      MotionScript.attitude(lid), MotionScript.altimeter(hub("press")),
      PositionScript.receiver(
        "usb-Simulated_GNSS_receiver-if00", device: "/dev/ttyACM0", latitude: 48.137,
        longitude: 11.575, height: 519),
      SurroundingsScript.light(hub("als"), lux: 320), SurroundingsScript.proximity(hub("prox")),
      SurroundingsScript.humidity(hub("humidity")), SurroundingsScript.steps(hub("bma400")),
      SurroundingsScript.converter(
        MotionScript.Chip(name: "ina219", driver: "ina219", location: "unknown"), volts: 11.8),
    ].joined(separator: "\n")
  }()
}
