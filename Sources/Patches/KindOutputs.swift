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
  func publish(_ sample: inout Sample, on output: String) {
    for index in outputs.indices where isName(outputs[index].name, output) {
      return publish(&sample, at: index)
    }
  }

  /// Publishes null on every output.
  func passNull() {
    for index in outputs.indices {
      var sample = Sample(.none)
      publish(&sample, at: index)
    }
  }

  private func publish(_ sample: inout Sample, at index: Int) {
    guard outputs[index].hint.takes(sample.value) else { return }
    switch values.publish(&sample, on: outputs[index].key) {
    case .placed(isInside: false): patch?.loop.deliver()
    case .placed, .unheard, .untimed, .refused(isFirst: false): break
    case .refused(isFirst: true): patch?.announce(.cascadeLimit(output: outputs[index].name))
    // Another output may have been put in its place.
    case .closed: try? patch?.publish(sample, on: outputs[index].name)
    }
  }

  private func isName(_ name: String, _ other: String) -> Bool {
    hasPlainNames ? name == other && name.utf8.count == other.utf8.count : name.isSpelt(other)
  }
}
