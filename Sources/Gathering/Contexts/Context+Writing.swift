import Ground
import Values

extension Context {
  /// Sets a property on the device itself, and updates the sessions of the instance.
  ///
  /// Throws `unavailable` if the instance is absent or writing is not permitted, `io` for an error
  /// of the device.
  func write(
    _ value: Value, toPropertyAt index: Int, for number: UInt32
  ) throws(SourceError) {
    let target = core.withLock { state -> (producer: Int, instance: Instance, isUsable: Bool)? in
      guard let producer = state.sessions[number]?.producer, let known = state.producers[producer]
      else { return nil }
      return (producer, known.instance, known.isUsable(allowing: state.allowance))
    }
    let kind = catalogue[core.withLock { $0.sessions[number]?.kindIndex ?? 0 }]
    guard let target, target.isUsable else {
      throw .unavailable(core.withLock { $0.availability(of: number) })
    }
    do throws(SourceError) {
      try provider.write(value, toPropertyAt: index, of: target.instance, of: kind)
    } catch {
      throw core.withLock { $0.shown(error, to: number) }
    }
    noteEvent([target.producer])
  }
}
