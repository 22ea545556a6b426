import Machine

/// The types of handles, as the header names them.
enum HandleType: UInt8, CaseIterable {
  case context = 1
  case source
  case connection
  case connector
  case reader
  case frame
  case dict

  /// The name `gkit_live_count` takes.
  var name: String {
    switch self {
    case .context: "context"
    case .source: "source"
    case .connection: "connection"
    case .connector: "connector"
    case .reader: "reader"
    case .frame: "frame"
    case .dict: "dict"
    }
  }
}

/// A thing that C can hold a handle on.
class HandleObject {
  /// Its type.
  let type: HandleType
  private let isCounted: Bool

  /// `isCounted` is false for what lives inside another object.
  init(_ type: HandleType, isCounted: Bool = true) {
    self.type = type
    self.isCounted = isCounted
    if isCounted { LiveCounts.add(1, type) }
  }

  deinit { if isCounted { LiveCounts.add(-1, type) } }

  /// The host has got a handle on it.
  func wasGiven(_ handle: OpaquePointer) {}

  /// One line for people.
  var summary: String { type.name }
}

/// A handle taken apart. It is never an address: the top byte is a type, so no mapped pointer has
/// its form, and a stale, foreign or wild one is recognised (C API rule 4).
struct HandleBits {
  let type: UInt8
  let process: UInt8
  let generation: UInt32
  let slot: Int

  init(_ raw: UInt) {
    type = UInt8(truncatingIfNeeded: raw >> 56)
    process = UInt8(truncatingIfNeeded: raw >> 48)
    generation = UInt32(truncatingIfNeeded: raw >> 24) & 0xFF_FFFF
    slot = Int(raw & 0xFF_FFFF)
  }

  init(type: HandleType, process: UInt8, generation: UInt32, slot: Int) {
    self.type = type.rawValue
    self.process = process
    self.generation = generation & 0xFF_FFFF
    self.slot = slot
  }

  var raw: UInt {
    UInt(type) << 56 | UInt(process) << 48 | UInt(generation) << 24 | UInt(slot)
  }
}

/// All handles of the process: slot and generation to object and reference count.
final class HandleTable: @unchecked Sendable {
  // Safe: objects are classes of this door; entries are touched under the monitor's lock only.
  private struct Entry {
    var object: HandleObject?
    var generation: UInt32 = 1
    var references = 0
  }

  private struct Slots {
    var entries: [Entry] = []
    var free: [Int] = []
  }

  private let slots = Monitor(Slots())
  private let process: UInt8

  init(process: UInt8) { self.process = process }

  /// A new handle with one reference; nil when 16 million are in use.
  func insert(_ object: HandleObject) -> OpaquePointer? {
    slots.withLock { slots in
      let slot: Int
      if let free = slots.free.popLast() {
        slot = free
      } else {
        guard slots.entries.count < 0xFF_FFFF else { return nil }
        slot = slots.entries.count
        slots.entries.append(Entry())
      }
      slots.entries[slot].object = object
      slots.entries[slot].references = 1
      let bits = HandleBits(
        type: object.type, process: process, generation: slots.entries[slot].generation, slot: slot)
      return OpaquePointer(bitPattern: bits.raw)
    }
  }

  /// The object of a handle; nil if it is none of this process's living ones.
  func object(_ bits: HandleBits) -> HandleObject? {
    slots.withLock { slots in
      Self.index(of: bits, in: slots).flatMap { slots.entries[$0].object }
    }
  }

  /// Adds a reference; false if there is no such handle.
  func retain(_ bits: HandleBits) -> Bool {
    slots.withLock { slots in
      guard let slot = Self.index(of: bits, in: slots) else { return false }
      slots.entries[slot].references += 1
      return true
    }
  }

  /// Takes a reference away. The object that nobody holds any more is handed out, to be let go
  /// outside the lock.
  func release(_ bits: HandleBits) -> (isKnown: Bool, last: HandleObject?) {
    slots.withLock { slots in
      guard let slot = Self.index(of: bits, in: slots) else { return (false, nil) }
      slots.entries[slot].references -= 1
      guard slots.entries[slot].references == 0 else { return (true, nil) }
      let object = slots.entries[slot].object
      slots.entries[slot].object = nil
      slots.entries[slot].generation = (slots.entries[slot].generation + 1) & 0xFF_FFFF
      // A slot that has been used up rests for ever: its numbers would come again.
      if slots.entries[slot].generation != 0 { slots.free.append(slot) }
      return (true, object)
    }
  }

  private static func index(of bits: HandleBits, in slots: Slots) -> Int? {
    guard bits.slot < slots.entries.count else { return nil }
    let entry = slots.entries[bits.slot]
    guard let object = entry.object, entry.generation == bits.generation,
      object.type.rawValue == bits.type
    else { return nil }
    return bits.slot
  }
}

/// The handles of this process. A fork's child begins anew: its parent's are dead there.
enum Handles {
  private static let tables = ProcessLocal { HandleTable(process: $0) }

  static var current: HandleTable { tables.value }

  /// Whether a handle belongs to a process this one was forked from.
  static func isForked(_ bits: HandleBits) -> Bool { bits.process != tables.process }
}
