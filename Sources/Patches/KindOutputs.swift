import Gathering
import Values

/// The outputs of a kind, on which it publishes by their names.
final class KindOutputs: Sendable {
  private struct Output: Sendable {
    let name: String
    let hint: PortType
    let key: PortKey
  }

  private let outputs: ContiguousArray<Output>
  /// Whether names that `String` takes for equal are the same bytes if they are as long.
  private let hasPlainNames: Bool
  private let values: LoopValues
  weak let patch: Patch?

  init(_ ports: [Port], of patch: Patch) {
    outputs = ContiguousArray(
      ports.map { Output(name: $0.name, hint: $0.hint, key: $0.key) })
    hasPlainNames = ports.allSatisfy { $0.name.utf8.allSatisfy { $0 < 0x80 } }
    values = patch.loop.values
    self.patch = patch
  }

  /// Publishes on an output; what is refused has been announced, and goes nowhere.
  func publish(_ payload: Payload, on output: String) {
    guard let index = index(of: output) else { return }
    let parcel = Parcel.carrying(payload)
    publish(parcel, .beside(parcel, payload), at: index)
  }

  /// The same for a sample, which may have times of its own.
  func publish(_ sample: Sample, on output: String) {
    guard let index = index(of: output) else { return }
    let parcel = Parcel.carrying(sample)
    publish(parcel, .beside(parcel, sample.value, sample.absence), at: index)
  }

  /// Publishes null on every output.
  func passNull() {
    for index in outputs.indices { publish(Parcel(), nil, at: index) }
  }

  private func publish(_ parcel: Parcel, _ kept: Kept?, at index: Int) {
    guard parcel.fits(outputs[index].hint, kept) else { return }
    var parcel = parcel
    switch values.publish(&parcel, kept, on: outputs[index].key) {
    case .placed(isInside: false): patch?.loop.deliver()
    case .placed, .unheard, .untimed, .refused(isFirst: false): break
    case .refused(isFirst: true): patch?.announce(.cascadeLimit(output: outputs[index].name))
    // Another output may have been put in its place.
    case .closed: try? patch?.publish(parcel.sample(kept), on: outputs[index].name)
    }
  }

  private func index(of output: String) -> Int? {
    outputs.firstIndex { isName($0.name, output) }
  }

  private func isName(_ name: String, _ other: String) -> Bool {
    hasPlainNames ? name == other && name.utf8.count == other.utf8.count : name.isSpelt(other)
  }
}
