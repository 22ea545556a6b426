import Ground
import Streams

extension Patch {
  /// How many patches and ties all wiring on its loop has looked at so far.
  package var wiringVisitCount: Int { loop.wiring.withLock { $0.visitCount } }

  /// Whether this patch keeps another alive, or is that patch; and all visited patches, which the
  /// caller releases outside the lock.
  ///
  /// It searches from both ends, always where fewer patches were visited so far, and the end that
  /// finishes first decides: a chain that grows at one of its ends costs the same for every link.
  func depends(on other: Patch, _ wiring: inout Wiring) -> (Bool, seen: [Patch]) {
    var kept = Frontier(self)
    var keepers = Frontier(other)
    defer { wiring.visitCount += kept.visitCount + keepers.visitCount }
    var answer = self === other ? true : nil
    while answer == nil {
      // A newly wired patch mostly feeds nothing yet.
      if keepers.visitCount <= kept.visitCount {
        answer = keepers.advance(by: \.keepers, towards: kept)
      } else {
        answer = kept.advance(by: \.keptPatches, towards: keepers)
      }
    }
    return (answer == true, kept.found + keepers.found)
  }

  /// Everything this patch keeps alive, itself included; only under the lock of the wiring.
  func everythingItKeeps(_ wiring: inout Wiring) -> [Patch] {
    var kept = Frontier(self)
    while kept.advance(by: \.keptPatches, towards: Frontier()) == nil {}
    wiring.visitCount += kept.visitCount
    return kept.found
  }

  /// The patches it keeps alive: those its inputs are wired to, and its children.
  private var keptPatches: [Patch] {
    let (inputs, children) = state.withLock { state in
      (state.inputs, state.graph?.children.patches ?? [])
    }
    return inputs.compactMap { port in port.state.withLock { $0.wire?.upstream } } + children
  }

  /// The patches that keep it alive: those wired to it, and the graph it is in.
  private var keepers: [Patch] {
    let (parent, inputs) = (parent, consumers)
    let wired = inputs.compactMap { input in
      input.state.withLock { $0.wire?.upstream } === self ? input.patch : nil
    }
    return wired + (parent.map { [$0] } ?? [])
  }
}

/// How far a search has come from one end.
private struct Frontier {
  /// All patches found, in the order visited.
  private(set) var found: [Patch] = []
  private var known: Set<ObjectIdentifier> = []
  private var next = 0
  private(set) var visitCount = 0

  init() {}

  init(_ patch: Patch) {
    found = [patch]
    known = [ObjectIdentifier(patch)]
  }

  /// Visits one more patch: true once it meets the other search, false if there is none left.
  mutating func advance(by ties: (Patch) -> [Patch], towards other: Frontier) -> Bool? {
    guard next < found.count else { return false }
    let patch = found[next]
    next += 1
    visitCount += 1
    for neighbour in ties(patch) {
      visitCount += 1
      if known.insert(ObjectIdentifier(neighbour)).inserted { found.append(neighbour) }
      if other.known.contains(ObjectIdentifier(neighbour)) { return true }
    }
    return nil
  }
}
