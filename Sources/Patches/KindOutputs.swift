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
  func publish(_ sample: Sample, on output: String) {
    for index in outputs.indices where isName(outputs[index].name, output) {
      return publish(sample, on: outputs[index])
    }
  }

  /// Publishes null on every output.
  func passNull() {
    for output in outputs { publish(Sample(.none), on: output) }
  }

  private func publish(_ sample: Sample, on output: Output) {
    guard output.hint.takes(sample.value) else { return }
    switch values.publish(sample, on: output.key) {
    case .placed(isInside: false): patch?.loop.deliver()
    case .placed, .unheard, .untimed, .refused(isFirst: false): break
    case .refused(isFirst: true): patch?.announce(.cascadeLimit(output: output.name))
    // Another output may have been put in its place.
    case .closed: try? patch?.publish(sample, on: output.name)
    }
  }

  private func isName(_ name: String, _ other: String) -> Bool {
    hasPlainNames ? name == other && name.utf8.count == other.utf8.count : name.isSpelt(other)
  }
}
