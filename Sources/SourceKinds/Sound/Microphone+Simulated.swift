import Gathering

extension Microphone {
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop: Self.room(rms: -42, peak: -29)
    case .phone: Self.room(rms: -36, peak: -22)
    }
  }

  /// A microphone with levels around these, in dBFS.
  private static func room(rms: Int, peak: Int) -> String {
    """
    0 add microphone|default
    0 set microphone|default/rms_level \(rms)
    0 wave microphone|default/rms_level sine 6 0.2
    0 set microphone|default/peak_level \(peak)
    0 wave microphone|default/peak_level sine 6 0.2
    0 set microphone|default/clipped_samples 0
    0 set microphone|default/overruns 0
    0 set microphone|default/sample_rate 48000
    0 set microphone|default/channels 1
    0 set microphone|default/device "default"
    """
  }
}
