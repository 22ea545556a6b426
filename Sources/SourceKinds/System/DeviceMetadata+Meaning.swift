import Gathering

extension DeviceMetadata {
  static var about: KindMeaning {
    KindMeaning(
      "the machine: its system, maker, identity and size",
      from: "os-release, /sys/class/dmi/id or the devicetree, machine-id, then hostnamed",
      instances: "machine")
  }
}

extension DeviceMetadata.Field {
  var meaning: Meaning {
    switch self {
    case .osId: Meaning("the system in a word, such as debian", from: "os-release ID")
    case .osName: Meaning("name of the system", from: "os-release NAME")
    case .osVersion: Meaning("version of the system", from: "os-release VERSION_ID")
    case .osPrettyName:
      Meaning("name and version of the system, for people", from: "os-release PRETTY_NAME")
    case .osVariant: Meaning("edition of the system", from: "os-release VARIANT")
    case .osBuild: Meaning("build of the system's image", from: "os-release BUILD_ID")
    case .kernelName: Meaning("name of the kernel", from: "/proc/sys/kernel/ostype")
    case .kernelRelease: Meaning("release of the kernel", from: "/proc/sys/kernel/osrelease")
    case .kernelVersion: Meaning("build of the kernel", from: "/proc/sys/kernel/version")
    case .architecture:
      Meaning("what the processor is to programs, such as x86_64", from: "/proc/sys/kernel/arch")
    case .vendor:
      Meaning("maker of the machine", from: "sys_vendor; compatible of the devicetree; hostnamed")
    case .model:
      Meaning("model of the machine", from: "product_name; model of the devicetree; hostnamed")
    case .modelVersion: Meaning("version of the model", from: "product_version")
    case .family: Meaning("family of models", from: "product_family")
    case .sku: Meaning("the maker's order number", from: "product_sku")
    case .boardVendor: Meaning("maker of the main board", from: "board_vendor")
    case .boardName: Meaning("model of the main board", from: "board_name")
    case .firmwareVendor: Meaning("maker of the firmware", from: "bios_vendor")
    case .firmwareVersion: Meaning("version of the firmware", from: "bios_version")
    case .firmwareDate: Meaning("date of the firmware", from: "bios_date")
    case .chassis: Meaning("the shape of the machine", from: "hostnamed Chassis, else chassis_type")
    case .serial:
      Meaning(
        "serial number of the machine; only root may read it", from: "product_serial; hostnamed")
    case .hardwareUuid:
      Meaning(
        "the maker's number of the machine; only root may read it", from: "product_uuid; hostnamed")
    case .hostname: Meaning("name of the machine in the network", from: "/proc/sys/kernel/hostname")
    case .prettyHostname:
      Meaning(
        "name of the machine for people", from: "hostnamed PrettyHostname, else /etc/machine-info")
    case .deviceId:
      Meaning(
        "number of this installation for this library, the same after each start",
        from: "HMAC-SHA-256 of the application with /etc/machine-id")
    case .bootId:
      Meaning("number of this start of the system", from: "/proc/sys/kernel/random/boot_id")
    case .bootTime: Meaning("when the system started", from: "realtime clock − boottime clock")
    case .uptime: Meaning("time since the system started, sleep included", from: "CLOCK_BOOTTIME")
    case .cpuModel: Meaning("model of the processor", from: "/proc/cpuinfo")
    case .logicalCpus:
      Meaning(
        "processors that run programs", from: "/sys/devices/system/cpu/online, else /proc/cpuinfo")
    case .physicalCores:
      Meaning(
        "cores of the processors",
        from: "cpu topology in /sys/devices/system/cpu, else /proc/cpuinfo")
    case .memoryTotal: Meaning("memory there is", from: "/proc/meminfo MemTotal")
    case .locale:
      Meaning(
        "language of the messages of this process", from: "environment: LC_ALL, LC_MESSAGES or LANG"
      )
    case .timezone:
      Meaning("time zone of the machine", from: "link /etc/localtime, else /etc/timezone")
    }
  }
}
