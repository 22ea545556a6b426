import Gathering

extension Microphone {
  static var about: KindMeaning {
    KindMeaning(
      "how loud it is; no sound is kept or handed out",
      from: "ALSA capture, 16 bits, 48 kHz, one channel",
      instances: "default, then the capture devices of the cards")
  }
}

extension Microphone.Field {
  var meaning: Meaning {
    switch self {
    case .rmsLevel:
      Meaning(
        "mean level since the last update; a full-scale sine is -3.01, silence -160",
        from: "20 × log10 of the root mean square ÷ full scale")
    case .peakLevel:
      Meaning(
        "level of the loudest sample since the last update",
        from: "20 × log10 of the largest sample ÷ full scale")
    case .clippedSamples:
      Meaning("samples at full scale since the start", from: "counted in the samples")
    case .overruns:
      Meaning(
        "times that samples were lost since the start",
        from: "recoveries from EPIPE of snd_pcm_readi")
    case .sampleRate: Meaning("samples a second", from: "negotiated with ALSA")
    case .channels: Meaning("channels captured", from: "negotiated with ALSA")
    case .device: Meaning("name of the device that is captured", from: "ALSA PCM name")
    }
  }
}
