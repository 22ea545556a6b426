import Glibc
import Ground
import Synchronization

/// All handles of a process: slot and generation to object and reference count.
///
/// Slots lie in chunks that never move and never go, so that a look-up takes no lock but the one
/// bit of its own slot: one exchange, one retain, one store. Making and ending handles passes the
/// slots on under a mutex.
struct HandleTable: @unchecked Sendable {
  // Safe: chunks are published once, by a releasing store; a slot's object is touched only by who
  // holds the slot's lock bit, or while the slot is free, by who took it from the free list.

  /// What a released reference was.
  enum Release {
    case unknown
    case kept
    /// The object that the host holds no more, to be let go outside all locks.
    case last(HandleObject)
  }

  /// Type (8 bits), generation (24), references (31), lock (1). A free slot has type 0.
  fileprivate struct Slot: ~Copyable {
    let state = Atomic<UInt64>(1 << 32)
    var object: Unmanaged<HandleObject>?
  }

  private struct FreeSlots {
    var used = 0
    var free: [Int] = []
  }

  private static let lock: UInt64 = 1
  private static let reference: UInt64 = 2
  private static let references: UInt64 = 0xFFFF_FFFE
  private static let chunkBits = 8
  private static let chunkSize = 1 << chunkBits
  private static let chunkCount = HandleBits.slotCount >> chunkBits

  /// nil when there was no memory for it: then there are no handles to give.
  private let chunks: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Slot>?>>?
  private let freeSlots: UnsafeMutablePointer<Monitor<FreeSlots>>
  private let process: UInt8

  /// An empty table, which lives as long as the process.
  init(process: UInt8) {
    self.process = process
    // Half a megabyte of nil pointers, of which only the pages in use take memory.
    let size = MemoryLayout<Atomic<UnsafeMutablePointer<Slot>?>>.stride
    chunks = calloc(Self.chunkCount, size)?.bindMemory(
      to: Atomic<UnsafeMutablePointer<Slot>?>.self, capacity: Self.chunkCount)
    freeSlots = .allocate(capacity: 1)
    freeSlots.initialize(to: Monitor(FreeSlots()))
  }

  /// A new handle with one reference, told before it can be used; nil when none is left.
  func insert(_ object: HandleObject, _ tell: (OpaquePointer?) -> Void) -> OpaquePointer? {
    guard let index = takeSlot(), let slot = slot(index) else { return nil }
    let generation = UInt32(truncatingIfNeeded: slot.pointee.state.load(ordering: .relaxed) >> 32)
    let bits = HandleBits(
      type: object.type, generation: generation, process: process, slot: index)
    tell(bits.pointer)
    slot.pointee.object = .passRetained(object)
    slot.pointee.state.store(bits.identity << 32 | Self.reference, ordering: .releasing)
    return bits.pointer
  }

  /// The object of a handle; nil if it is none of this process's living ones.
  @_optimize(speed)
  func object(_ bits: HandleBits) -> HandleObject? {
    guard let (slot, state) = lockedSlot(bits) else { return nil }
    let object = slot.pointee.object?.takeUnretainedValue()
    slot.pointee.state.store(state, ordering: .releasing)
    return object
  }

  /// An object whose slot's lock bit is held, for some instructions that take no lock but a bit and
  /// call nothing of the host. It must be given back.
  struct Held {
    let object: Unmanaged<HandleObject>
    fileprivate let slot: UnsafeMutablePointer<Slot>
    fileprivate let state: UInt64

    @inline(__always)
    func giveBack() { slot.pointee.state.store(state, ordering: .releasing) }
  }

  /// Holds the object of a handle, without counting it; nil if it is none of this process's living
  /// ones.
  @inline(__always)
  func hold(_ bits: HandleBits) -> Held? {
    guard let (slot, state) = lockedSlot(bits) else { return nil }
    if let object = slot.pointee.object { return Held(object: object, slot: slot, state: state) }
    slot.pointee.state.store(state, ordering: .releasing)
    return nil
  }

  /// Adds a reference; false if there is no such handle, or two thousand million references.
  func retain(_ bits: HandleBits) -> Bool {
    guard let (slot, state) = lockedSlot(bits) else { return false }
    let isFull = state & Self.references == Self.references
    slot.pointee.state.store(isFull ? state : state + Self.reference, ordering: .releasing)
    return !isFull
  }

  /// Takes a reference away.
  func release(_ bits: HandleBits) -> Release {
    guard let (slot, state) = lockedSlot(bits) else { return .unknown }
    if state & Self.references > Self.reference {
      slot.pointee.state.store(state - Self.reference, ordering: .releasing)
      return .kept
    }
    let object = slot.pointee.object
    slot.pointee.object = nil
    let next = (state >> 32 + 1) & UInt64(HandleBits.lastGeneration)
    slot.pointee.state.store(next << 32, ordering: .releasing)
    // A slot whose generations are used up rests for ever: its numbers would come again.
    if next != 0 { freeSlots.pointee.withLock { $0.free.append(bits.slot) } }
    return object.map { .last($0.takeRetainedValue()) } ?? .kept
  }

  /// The slot of a living handle with its lock bit taken, and its state without that bit, which
  /// must be stored soon.
  @inline(__always)
  private func lockedSlot(
    _ bits: HandleBits
  ) -> (slot: UnsafeMutablePointer<Slot>, state: UInt64)? {
    // Type 0 is a free slot's.
    guard bits.type != 0, bits.process == process, let slot = slot(bits.slot) else { return nil }
    var spins = 0
    while true {
      let state = slot.pointee.state.load(ordering: .relaxed)
      guard state >> 32 == bits.identity else { return nil }
      if state & Self.lock == 0,
        slot.pointee.state.weakCompareExchange(
          expected: state, desired: state | Self.lock, ordering: .acquiring
        ).exchanged
      {
        return (slot, state)
      }
      // Who holds the bit keeps it for some instructions only, unless it lost its processor.
      spins += 1
      if spins > 50 { sched_yield() }
    }
  }

  @inline(__always)
  private func slot(_ index: Int) -> UnsafeMutablePointer<Slot>? {
    guard let chunks else { return nil }
    return (chunks + index >> Self.chunkBits).pointee.load(ordering: .acquiring)
      .map { $0 + index & (Self.chunkSize - 1) }
  }

  private func takeSlot() -> Int? {
    freeSlots.pointee.withLock { slots in
      if let free = slots.free.popLast() { return free }
      guard slots.used < HandleBits.slotCount else { return nil }
      if slots.used & (Self.chunkSize - 1) == 0 { addChunk(slots.used >> Self.chunkBits) }
      slots.used += 1
      return slots.used - 1
    }
  }

  private func addChunk(_ number: Int) {
    let chunk = UnsafeMutablePointer<Slot>.allocate(capacity: Self.chunkSize)
    for index in 0..<Self.chunkSize { (chunk + index).initialize(to: Slot()) }
    guard let chunks else { return }
    (chunks + number).pointee.store(chunk, ordering: .releasing)
  }
}
