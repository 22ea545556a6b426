import Gathering
import Ground
import Machine
import Values

/// Microphones: how loud it is. No sample is kept or handed out.
struct Microphone: CatalogueKind {
  enum Field: Int, PropertyField {
    case rmsLevel, peakLevel, clippedSamples, overruns, sampleRate, channels, device

    var property: Property {
      switch self {
      case .rmsLevel:
        Property(
          "rms_level", .double, unit: "dB{FS}", .continuous, range: levels, name: "RMS level")
      case .peakLevel: Property("peak_level", .double, unit: "dB{FS}", .continuous, range: levels)
      case .clippedSamples: Property("clipped_samples", .int, unit: "1", .continuous, .counter)
      case .overruns: Property("overruns", .int, unit: "1", .continuous, .counter)
      case .sampleRate: Property("sample_rate", .double, unit: "Hz", .static)
      case .channels: Property("channels", .int, unit: "1", .static)
      case .device: Property("device", .string, .static)
      }
    }
  }

  let kind = "microphone"
  let name = "Microphone"
  let intervals = Intervals(seconds: 0.1, minimum: 0.02)
  /// Opening a microphone is itself personal: nothing is available without its category.
  let category: PrivacyCategory? = .microphone
  let topics: [ChangeTopic] = [.devices(subsystem: "sound")]
  /// Levels cover the sound since the session's previous update.
  let spans: [SpanRule] = [
    SpanRule(Field.rmsLevel.rawValue) { Self.level(from: $0, to: $1, \.rms) },
    SpanRule(Field.peakLevel.rawValue) { Self.level(from: $0, to: $1, \.peak) },
  ]
  static let table = Field.properties

  private static let levels = LevelMeter.silence...0

  /// The default capture, then the capture devices, none of which is opened for it.
  func discover(on machine: Machine) -> Discovery {
    guard let sound = machine.sound else {
      return Discovery(
        [], orElse: Availability(.noHardware, backend: "alsa", detail: "no sound is captured here"))
    }
    let ready =
      sound.captures.obstacle.map(Self.missing) ?? Availability(.available, backend: "alsa")
    if let only = sound.onlyDevice {
      return Discovery([Self.instance("default", label: only, only, ready)], orElse: ready)
    }
    let devices: [CaptureDevices.Device]
    do throws(SystemError) {
      devices = try CaptureDevices.all(in: machine.files)
    } catch {
      return Discovery([], orElse: Self.unlisted(error))
    }
    let none = Availability(
      .noHardware, backend: "alsa", detail: "\(CaptureDevices.table) lists no capture device")
    if devices.isEmpty { return Discovery([], orElse: none) }
    let named = devices.map { device in
      var instance = Self.instance(
        device.name, label: device.label.isEmpty ? device.name : device.label,
        "plughw:CARD=\(device.card),DEV=\(device.number)", ready)
      instance.aliases = [device.kernelName]
      let node = "/dev/snd/\(device.kernelName)"
      if let refusal = Self.refusal(of: node, on: machine), ready.state == .available {
        instance.availability = refusal
      }
      return instance
    }.withDistinctNames()
    return Discovery(
      [Self.instance("default", label: "Default", "default", ready)] + named, orElse: none)
  }

  /// Opens a capture.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    guard let sound = machine.sound, let pcm = instance.notes["pcm"] else {
      throw .unavailable(Availability(.noHardware, backend: "alsa"))
    }
    do throws(SystemError) {
      return try MicrophoneReader(pcm, sound.captures)
    } catch {
      throw .unavailable(Self.availability(after: error))
    }
  }

  /// A session that has begun counts from its first reading on.
  func adapts(to session: SessionFacts) -> Bool { session.first != nil }

  /// Makes the counters those of the session.
  func adapt(_ reading: inout Reading, to session: SessionFacts) {
    guard let now = MicrophoneReader.Counters(reading.counters),
      let first = session.first.flatMap({ MicrophoneReader.Counters($0.counters) })
    else { return }
    reading[Field.clippedSamples] = .ok(.int(now.meter.clipped - first.meter.clipped))
    reading[Field.overruns] = .ok(.int(now.overruns - first.overruns))
  }

  private static func level(
    from earlier: SpanBasis, to later: SpanBasis, _ level: KeyPath<LevelMeter.Levels, Double>
  ) -> SpanRule.Span {
    guard let then = MicrophoneReader.Counters(earlier.counters),
      let now = MicrophoneReader.Counters(later.counters)
    else { return later.counters.isEmpty ? .kept : .outcome(.needsTwoReadings) }
    guard let levels = now.meter.levels(since: then.meter) else {
      return .outcome(.noData("no sound has come since the previous update"))
    }
    return .number(levels[keyPath: level])
  }

  private static func instance(
    _ name: String, label: String, _ pcm: String, _ availability: Availability
  ) -> Instance {
    Instance(name, label: label, availability: availability, notes: ["pcm": pcm])
  }
}
