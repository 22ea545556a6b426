import Gathering

extension Graphics {
  static var about: KindMeaning {
    KindMeaning(
      "load, memory, heat and power of graphics cards",
      from: "/sys/class/drm and what drivers keep there; NVIDIA's management library",
      instances: "the aggregate, discrete cards, those that are a part of a processor")
  }
}

extension Graphics.Field {
  var meaning: Meaning {
    switch self {
    case .utilization:
      Meaning(
        "share of time at work; of Intel's cards awake",
        from: "gpu_busy_percent; rc6_residency_ms, idle_residency_ms; gpu_stats; load; NVML")
    case .memoryUtilization:
      Meaning(
        "share of time its memory is used, not how full it is", from: "mem_busy_percent; NVML")
    case .encoderUtilization: Meaning("share of time the encoder works", from: "NVML")
    case .decoderUtilization: Meaning("share of time the decoder works", from: "NVML")
    case .videoUtilization:
      Meaning("share of time that video is coded or decoded", from: "vcn_busy_percent")
    case .memoryTotal: Meaning("memory of its own", from: "mem_info_vram_total; NVML")
    case .memoryUsed:
      Meaning("how much of its own memory is used", from: "mem_info_vram_used; NVML")
    case .sharedTotal:
      Meaning("memory of the machine that it may use", from: "mem_info_gtt_total")
    case .sharedUsed: Meaning("how much of the machine's memory it uses", from: "mem_info_gtt_used")
    case .temperature: Meaning("temperature", from: "tempN_input labelled edge, pkg; NVML")
    case .temperatureHotspot:
      Meaning("temperature where it is hottest", from: "tempN_input labelled junction")
    case .temperatureMemory:
      Meaning("temperature of its memory", from: "tempN_input labelled mem, vram; NVML")
    case .power:
      Meaning(
        "power; of a counter the mean since the reading before",
        from: "power1_average, else power1_input; Δenergy ÷ Δt; NVML")
    case .powerLimit: Meaning("the power allowed", from: "power1_cap, power1_max; NVML")
    case .energy:
      Meaning(
        "energy since the counter began; it does not fall while it is watched",
        from: "energy1_input, else energy2_input; NVML")
    case .frequency:
      Meaning(
        "clock; of several units the fastest",
        from: "freqN_input labelled sclk; rps_act_freq_mhz; act_freq; cur_freq; NVML")
    case .memoryFrequency:
      Meaning("clock of its memory", from: "freqN_input labelled mclk; NVML")
    case .frequencyMaximum:
      Meaning(
        "the fastest clock",
        from: "rps_RP0_freq_mhz; rp0_freq; the last of available_frequencies; NVML")
    case .fanSpeed: Meaning("turns of its fan a minute", from: "fan1_input; NVML")
    case .fanDuty: Meaning("power of its fan, of full power", from: "pwm1 ÷ 255; NVML")
    case .throttle:
      Meaning(
        "why it is slowed down: power, thermal, brake, reliability, other",
        from: "throttle_reason_*; freq0/throttle/reason_*; NVML")
    case .performanceState: Meaning("0 is the fastest, 15 the slowest", from: "NVML")
    case .powerState: Meaning("whether it sleeps", from: "power/runtime_status")
    case .integrated:
      Meaning(
        "whether it is a part of a processor", from: "a sensor labelled vddnb; the place of it")
    case .vendor: Meaning("who made it", from: "vendor; the driver")
    case .model:
      Meaning(
        "model", from: "product_name, NVML, else udev's ID_MODEL_FROM_DATABASE, else compatible")
    case .driver: Meaning("driver in the kernel", from: "the link driver")
    case .driverVersion: Meaning("version of a driver that has one of its own", from: "NVML")
    case .pciAddress: Meaning("address on PCI", from: "name of the device")
    case .uuid: Meaning("number that no other card has", from: "unique_id; NVML")
    case .keepAwake:
      Meaning(
        "whether this session keeps a card awake that could sleep; can be set",
        from: "the session's setting, false at first")
    }
  }
}
