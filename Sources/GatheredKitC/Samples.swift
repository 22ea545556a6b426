import CGatheredKit
import Gathering

extension Arena {
  /// A sample as C sees it; its payload borrows from the arena.
  func sample(_ sample: Sample, property: Int, source: UInt32) -> gkit_sample {
    gkit_sample(
      time_ns: sample.realtime, boot_ns: sample.time, sequence: sample.sequence, source: source,
      property: UInt32(truncatingIfNeeded: property), status: sample.status.rawValue,
      flags: sample.flags.rawValue, value: value(sample.value))
  }
}
