import Ground
import Values

/// Values of an instance that another machine reads.
extension ProducerState {
  /// Takes over samples that another machine has finished; what a stream brings is left to it.
  func takeOver(finished samples: [Sample], _ allowance: Allowance) {
    taken.forget()
    for (index, sample) in samples.enumerated() where index < newest.count {
      if streamed.contains(index) { continue }
      if !allowance.permits(categories[index]) {
        let instant = Instant(boot: sample.time, realtime: sample.realtime)
        _ = newest.take(.withheld(categories[index]), at: index, mode: .onChange, instant: instant)
      } else if sample.time >= newest.time(at: index) {
        newest.set(sample, at: index)
      } else if sample.sequence == newest.sequence(at: index),
        sample.value == newest[index].value
      {
        // It is known, and may have become stale: where the other's clock is followed, what is
        // added to its times is not always the same.
        var sample = sample
        sample.time = newest.time(at: index)
        newest.set(sample, at: index)
      } else {
        refused += 1
      }
    }
    readings += 1
    failure = nil
  }

  /// Marks every payload as outdated for the reason of an outcome, and has the others say it: of a
  /// machine that is away the last values are known (fleet F45).
  func takeStaleness(_ outcome: Outcome, allowance: Allowance, at now: Instant) {
    guard outcome.status == .noData else {
      return takeAbsence(outcome, allowance: allowance, at: now)
    }
    forgetBasis()
    for index in 0..<newest.count where allowance.permits(categories[index]) {
      var sample = newest[index]
      sample.status = sample.status.hasPayload ? .stale : .noData
      sample.absence = outcome.absence
      newest.set(sample, at: index)
    }
    readings += 1
    lastReading = nil
    failure = nil
  }
}
