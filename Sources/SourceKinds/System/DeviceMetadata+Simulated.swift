import Gathering

extension DeviceMetadata {
  func simulated(on device: BuiltInDevice) -> String {
    device.part(laptop: Self.laptop, phone: Self.phone)
  }

  private static let laptop = """
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

  private static let phone = """
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
}
