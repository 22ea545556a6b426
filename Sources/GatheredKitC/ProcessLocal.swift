import CLinux
import Synchronization

/// A value of which each process has its own: after a fork the child makes a new one and never
/// touches the parent's, whose lock may stay shut for ever.
final class ProcessLocal<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let process: UInt8
    let value: Value

    init(process: UInt8, value: Value) {
      self.process = process
      self.value = value
    }
  }

  private let boxes = AtomicLazyBoxes<Box>()
  private let make: @Sendable (UInt8) -> Value

  init(_ make: @escaping @Sendable (UInt8) -> Value) { self.make = make }

  /// The number of this process: how often its image was forked, modulo 256.
  var process: UInt8 { UInt8(truncatingIfNeeded: clinux_fork_generation()) }

  var value: Value {
    let process = process
    return boxes.box(process) { Box(process: process, value: make(process)) }.value
  }
}

/// One lazily made object for each number of a byte; the first to store one wins.
private final class AtomicLazyBoxes<Box: AnyObject & Sendable>: @unchecked Sendable {
  // Safe: a cell goes from nil to an object once, by compare-exchange, and never back.
  private let cells: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>

  init() {
    cells = .allocate(capacity: 256)
    for index in 0..<256 { (cells + index).initialize(to: Atomic(nil)) }
  }

  func box(_ number: UInt8, _ make: () -> Box) -> Box {
    let cell = cells + Int(number)
    if let made = cell.pointee.load(ordering: .acquiring) {
      return Unmanaged<Box>.fromOpaque(made).takeUnretainedValue()
    }
    let new = Unmanaged.passRetained(make())
    let (isStored, winner) = cell.pointee.compareExchange(
      expected: nil, desired: new.toOpaque(), ordering: .acquiringAndReleasing)
    if isStored { return new.takeUnretainedValue() }
    new.release()
    guard let winner else { return make() }
    return Unmanaged<Box>.fromOpaque(winner).takeUnretainedValue()
  }
}
