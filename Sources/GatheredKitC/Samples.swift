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

/// The C form of a session's present update, made once for all its listeners.
final class SampleConverter: @unchecked Sendable {
  // Safe: used inside callbacks only, of which a context runs one at a time.
  private var update: SourceUpdate?
  private var arena = Arena()
  private var samples: [gkit_sample] = []

  /// Calls with the samples of an update as C sees them.
  func withSamples(
    of update: SourceUpdate, source: UInt32, _ body: (UnsafeBufferPointer<gkit_sample>) -> Void
  ) {
    if self.update !== update {
      self.update = update
      // What an outer call still uses stays alive in its own reference.
      let fresh = Arena()
      let all = update.samples
      let width = max(all.count / max(update.rowCount, 1), 1)
      samples = all.enumerated().map { index, sample in
        fresh.sample(sample, property: index % width, source: source)
      }
      arena = fresh
    }
    let (held, present) = (arena, samples)
    present.withUnsafeBufferPointer(body)
    withExtendedLifetime(held) {}
  }
}
