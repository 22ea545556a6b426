import Machine
import Motion
import Testing

@testable import SourceKinds

/// Scans of two devices, the pacemaker's being the first, in milliseconds.
@Suite struct MotionMergeTests {
  private struct Row: Equatable {
    var isRotation: Bool
    var time: Int64
  }

  private var merge = MotionMerge(inputs: 2)

  private mutating func bring(_ quantity: MotionPart.Quantity, _ times: [Int64], to input: Int) {
    let numbers = times.flatMap { _ -> [Double] in [0, 0, 1] }
    let block = ScanBlock(
      times: times.map { $0 * 1_000_000 }, stamp: .kernel, columns: [numbers], hasGap: false)
    merge.append(block, of: [quantity], to: input)
  }

  private mutating func drain(at now: Int64) -> [Row] {
    var rows: [Row] = []
    merge.drain(at: now * 1_000_000) {
      rows.append(Row(isRotation: $0.rotation != nil, time: $0.time / 1_000_000))
    }
    return rows
  }

  @Test mutating func `samples come in the order of time, of equal ones the pacemaker's last`() {
    bring(.rotation, [10, 20, 30], to: 0)
    bring(.acceleration, [10, 25, 30], to: 1)
    let expected = [
      Row(isRotation: false, time: 10), Row(isRotation: true, time: 10),
      Row(isRotation: true, time: 20), Row(isRotation: false, time: 25),
      Row(isRotation: false, time: 30), Row(isRotation: true, time: 30),
    ]
    #expect(drain(at: 30) == expected)
  }

  @Test mutating func `of a busy second nothing is lost, though one device is fetched before`() {
    bring(.rotation, [0], to: 0)
    bring(.acceleration, [0], to: 1)
    #expect(drain(at: 0).count == 2)
    let second = Array(stride(from: Int64(10), through: 1000, by: 10))
    bring(.acceleration, second, to: 1)
    #expect(drain(at: 1005).isEmpty)
    bring(.rotation, Array(second.prefix(50)), to: 0)
    #expect(drain(at: 1010).count == 100)
    bring(.rotation, Array(second.dropFirst(50)), to: 0)
    let rest = drain(at: 1400)
    #expect(rest.count == 100)
    #expect(rest.filter(\.isRotation).map(\.time) == Array(second.dropFirst(50)))
  }

  @Test mutating func `a silent device is waited for half a second, then a quarter behind`() {
    bring(.rotation, [0, 10], to: 0)
    #expect(drain(at: 10).isEmpty)
    bring(.rotation, [20, 300, 500], to: 0)
    #expect(drain(at: 509).isEmpty)
    bring(.rotation, [510], to: 0)
    #expect(drain(at: 510).map(\.time) == [0, 10, 20])
    bring(.rotation, [600], to: 0)
    #expect(drain(at: 600).map(\.time) == [300])
    bring(.acceleration, [600], to: 1)
    #expect(drain(at: 601).map(\.time) == [500, 510, 600, 600])
  }

  @Test mutating func `the merge does not wait for a device that has ended`() {
    bring(.rotation, [0, 10], to: 0)
    merge.end(1)
    #expect(drain(at: 10).count == 2)
    #expect(!merge.isEnded)
    merge.end(0)
    #expect(merge.isEnded)
  }
}
