import Ground

/// The types of handles, as the header names them.
enum HandleType: UInt8, CaseIterable {
  case context = 1
  case source
  case connection
  case connector
  case reader
  case frame
  case dict
  case stream
  case patch
  case datasource
  case future
  case sink

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
    case .stream: "stream"
    case .patch: "patch"
    case .datasource: "datasource"
    case .future: "future"
    case .sink: "sink"
    }
  }
}

/// What counts the handles by which the host can reach it.
protocol HandleKeeper: AnyObject {
  /// The host has a handle more.
  func handleMade()
  /// The host has a handle less.
  func handleGone()
}

/// A thing that C can hold a handle on. Each type of handle belongs to one final subclass.
class HandleObject: @unchecked Sendable {
  // Safe: all is constant but the handle, which is written before another thread sees the object.

  /// Its type.
  let type: HandleType
  /// What C holds; nil before it was handed out. Stale once the host has let go.
  fileprivate(set) var handle: OpaquePointer?
  private let isCounted: Bool

  /// `isCounted` is false for what lives inside another object.
  init(_ type: HandleType, isCounted: Bool = true) {
    self.type = type
    self.isCounted = isCounted
    if isCounted { LiveCounts.add(1, type) }
  }

  deinit {
    LockRank.expectNoLock("lets go of an object of the C interface")
    if isCounted { LiveCounts.add(-1, type) }
  }

  /// One line for people.
  var summary: String { type.name }

  /// The context that a handle of it reaches; nil for what belongs to none.
  var keeper: (any HandleKeeper)? { nil }

  /// The host got its first handle, before it can use it.
  func hostGot(_ handle: OpaquePointer) {}

  /// The host gave its last reference back. Called once, outside every lock, on the host's thread.
  func hostLetGo() {}
}

/// A handle taken apart: type, generation, process, slot. It is never an address: the top byte is a
/// type, so no mapped pointer has its form, and a stale, foreign or wild one is recognised (C API
/// rule 4).
struct HandleBits: Equatable {
  /// The whole.
  let raw: UInt

  init(_ handle: OpaquePointer) { raw = UInt(bitPattern: handle) }
  init(_ handle: UnsafeRawPointer) { raw = UInt(bitPattern: handle) }

  init(type: HandleType, generation: UInt32, process: UInt8, slot: Int) {
    raw =
      UInt(type.rawValue) << 56 | UInt(generation & Self.lastGeneration) << 32
      | UInt(process) << 24 | UInt(slot)
  }

  /// The highest generation, after which a slot rests for ever.
  static let lastGeneration: UInt32 = 0xFF_FFFF
  /// How many slots there can be.
  static let slotCount = 1 << 24

  var type: UInt8 { UInt8(truncatingIfNeeded: raw >> 56) }
  /// Type and generation, as a slot's state has them.
  var identity: UInt64 { UInt64(raw) >> 32 }
  var process: UInt8 { UInt8(truncatingIfNeeded: raw >> 24) }
  var slot: Int { Int(raw & 0xFF_FFFF) }
  /// What C gets.
  var pointer: OpaquePointer? { OpaquePointer(bitPattern: raw) }
}

/// The handles of this process. A fork's child begins anew: its parent's are dead there.
enum Handles {
  private static let tables = ProcessLocal { HandleTable(process: UInt8(truncatingIfNeeded: $0)) }

  static var current: HandleTable { tables.value }

  /// A new handle of an object, with one reference; nil when 16 million are in use.
  static func insert(_ object: HandleObject) -> OpaquePointer? {
    // Counted before it can be released.
    object.keeper?.handleMade()
    let handle = current.insert(object) { handle in
      object.handle = handle
      if let handle { object.hostGot(handle) }
    }
    if handle == nil { object.keeper?.handleGone() }
    return handle
  }

  /// Gives a reference back and, if it was the last, lets go of the object; false if there is no
  /// such handle.
  static func release(_ bits: HandleBits) -> Bool {
    switch current.release(bits) {
    case .unknown: return false
    case .kept: return true
    case .last(let object):
      let keeper = object.keeper
      object.hostLetGo()
      keeper?.handleGone()
      return true
    }
  }

  /// Whether a handle belongs to a process this one was forked from.
  static func isForked(_ bits: HandleBits) -> Bool {
    let generation = ProcessLocal<HandleTable>.generation
    guard generation > 0, HandleType(rawValue: bits.type) != nil else { return false }
    let isAncestor = generation > 0xFF || UInt32(bits.process) < generation
    return isAncestor && bits.process != UInt8(truncatingIfNeeded: generation)
  }
}
