public import Gathering
public import Streams

/// A patch made of patches: named children, wired to each other, of whose ports it may offer some
/// as its own.
///
/// It keeps its children alive. Every call is allowed on every thread.
public final class Graph: Sendable {
  /// The graph as a patch: its offered ports.
  public let patch: Patch

  /// The type of graphs in documents.
  public static let type = "graph"

  /// Makes an empty graph on the loop of a work queue.
  public convenience init(on queue: any WorkQueue, clock: any Clock) {
    self.init(on: LoopRegister.loop(of: queue, clock: clock))
  }

  /// Makes an empty graph on the loop of a context.
  public convenience init(in context: Context) {
    self.init(on: context.queue, clock: context.queue)
  }

  init(on loop: PatchLoop) {
    patch = Patch(type: Self.type, options: [:], on: loop)
    patch.state.withLock { $0.graph = GraphContent() }
  }

  fileprivate init(viewing patch: Patch) {
    self.patch = patch
  }

  /// The names of the children, in the order they were added.
  public var childNames: [String] { content.children.map(\.name) }

  /// The child of a name; nil if there is none.
  public subscript(name: String) -> Patch? { content.child(named: name) }

  /// Adds a child under a name, or under its type's, followed by 2, 3, … when taken.
  ///
  /// Throws `badName`, `duplicateName`, and `exists` for one that is in a graph already.
  @discardableResult
  public func add(_ child: Patch, as name: String? = nil) throws(PatchError) -> String {
    if patch.isClosed { throw .closed }
    guard child.loop === patch.loop else { throw .badName("a patch of another context") }
    let outcome = patch.loop.wiring.withLock { _ in
      Result { () throws(PatchError) in try enter(child, as: name) }
    }
    return try outcome.get().name
  }

  /// Removes a child: its wires inside the graph are cut and the ports it lent withdrawn.
  public func remove(_ name: String) throws(PatchError) {
    let found = patch.state.withLock { state -> (Patch, [Offer])? in
      guard let child = state.graph?.child(named: name) else { return nil }
      let lent = state.graph?.offers.filter { $0.child === child } ?? []
      state.graph?.offers.removeAll { $0.child === child }
      return (child, lent)
    }
    guard let (child, lent) = found else { throw .notFound(name) }
    for offer in lent { patch.cutOff(offer, isWithdrawn: true) }
    patch.cutWires(inside: self, of: child)
    child.state.withLock { state in
      state.name = ""
      state.parent = WeakPatch()
    }
    let former = patch.state.withLock { state in
      defer { state.graph?.children.removeAll { $0.patch === child } }
      return state.graph
    }
    withExtendedLifetime(former) {}
  }

  /// Offers an input of a child, written `child.port`, as one of the graph.
  public func offer(input reference: String, as name: String) throws(PatchError) {
    try offer(reference, as: name, .input)
  }

  /// Offers an output of a child, written `child.port`, as one of the graph.
  public func offer(output reference: String, as name: String) throws(PatchError) {
    try offer(reference, as: name, .output)
  }

  // MARK: Below

  var content: GraphContent { patch.state.withLock { $0.graph } ?? GraphContent() }

  /// Only while the lock of the wiring is held; what is returned is for the caller to let go.
  private func enter(
    _ child: Patch, as name: String?
  ) throws(PatchError) -> (name: String, spent: [Patch]) {
    if child.state.withLock({ $0.parent.patch != nil }) { throw .exists("the patch in a graph") }
    var ancestors = [patch]
    while let next = ancestors.last?.state.withLock({ $0.parent.patch }) { ancestors.append(next) }
    if ancestors.contains(where: { $0 === child }) { throw .exists("the graph around itself") }
    let name = try content.name(for: child.type ?? "patch", given: name)
    // What the child is fed from by a graph it will be in must not keep that graph.
    var (isFedByUs, spent) = child.depends(on: patch)
    spent += ancestors
    if isFedByUs {
      for seen in child.everythingItKeeps(&spent) {
        spent += seen.loosenWires { upstream in ancestors.contains { $0 === upstream } }
      }
    }
    patch.state.withLock { $0.graph?.children.append(.init(name: name, patch: child)) }
    child.state.withLock { state in
      state.name = name
      state.parent = WeakPatch(patch: patch)
    }
    return (name, spent)
  }

  private func offer(
    _ reference: String, as name: String, _ direction: Port.Direction
  ) throws(PatchError) {
    guard name.isChildName else { throw .badName(name) }
    guard let (childName, portName) = reference.asReference,
      let child = content.child(named: childName)
    else { throw .notFound(reference) }
    let port = try child.port(portName, direction)
    if patch.names(direction).contains(where: { $0.isSpelt(name) }) { throw .duplicateName(name) }
    // An offered port of an inner graph is offered by its name there.
    let isLent = child.state.withLock { $0.graph?.offer(named: portName, direction) != nil }
    let offer = Offer(
      name: name, direction: direction, child: child, port: isLent ? portName : port.name)
    patch.state.withLock { $0.graph?.offers.append(offer) }
  }
}

extension Patch {
  /// The graph this patch is; nil if it is none.
  public var graph: Graph? {
    state.withLock { $0.graph != nil } ? Graph(viewing: self) : nil
  }

  /// Takes an offered port back; false if there is none of this name.
  func withdraw(_ name: String, _ direction: Port.Direction) throws(PatchError) -> Bool {
    let offer = state.withLock { state -> Offer? in
      guard let offer = state.graph?.offer(named: name, direction) else { return nil }
      state.graph?.offers.removeAll { $0.direction == direction && $0.name.isSpelt(name) }
      return offer
    }
    guard let offer else { return false }
    cutOff(offer, isWithdrawn: true)
    return true
  }

  /// Cuts the wires and ends the subscriptions that were made to an offered port of this graph, and
  /// to what graphs around it offer of it.
  fileprivate func cutOff(_ offer: Offer, isWithdrawn: Bool) {
    offer.guests.leave(isWithdrawn: isWithdrawn)
    for port in loop.allInputs {
      port.cutWire { wire in
        switch offer.direction {
        case .input:
          wire.via?.graph.patch === self && wire.via?.name.isSpelt(offer.name) == true
        case .output: wire.origin.patch === self && wire.output.isSpelt(offer.name)
        }
      }
    }
    guard let parent = state.withLock({ $0.parent.patch }) else { return }
    let outer = parent.state.withLock { state in
      state.graph?.offers.filter { outer in
        outer.child === self && outer.direction == offer.direction
          && outer.port.isSpelt(offer.name)
      } ?? []
    }
    for offer in outer { parent.cutOff(offer, isWithdrawn: false) }
  }

  /// Cuts the wires between a child and its siblings, and the graph.
  fileprivate func cutWires(inside graph: Graph, of child: Patch) {
    let members = graph.content.children.map(\.patch) + [self]
    for port in loop.allInputs {
      port.cutWire { wire in
        guard let origin = wire.origin.patch, let owner = wire.via?.graph.patch ?? port.patch else {
          return false
        }
        if owner === child { return members.contains { $0 === origin } }
        return origin === child && members.contains { $0 === owner }
      }
    }
  }

  /// Everything this patch keeps alive, itself included; only under the lock of the wiring.
  fileprivate func everythingItKeeps(_ spent: inout [Patch]) -> [Patch] {
    // Nothing depends on a patch that is nowhere, so all is looked at.
    let nowhere = Patch(type: nil, options: [:], on: loop)
    let all = depends(on: nowhere).seen
    spent += all + [nowhere]
    return all
  }

  /// Makes feedback wires of those that come from some patches, which are for the caller to let go.
  fileprivate func loosenWires(from isMeant: (Patch) -> Bool) -> [Patch] {
    let inputs = state.withLock { $0.inputs }
    return inputs.compactMap { port in
      port.state.withLock { state -> Patch? in
        guard let upstream = state.wire?.upstream, isMeant(upstream) else { return nil }
        return state.wire?.loosen()
      }
    }
  }
}

extension Port {
  /// Cuts the wire if it is meant.
  func cutWire(where isMeant: (WireRecord) -> Bool) {
    guard let wire = state.withLock({ $0.wire }), isMeant(wire) else { return }
    let former = state.withLock { state -> WireRecord? in
      guard state.wire?.order == wire.order else { return nil }
      return state.wire.take()
    }
    former?.connection?.disconnect()
  }
}

extension PatchLoop {
  /// All inputs of all patches of the loop, in the order of nothing in particular.
  var allInputs: [Port] {
    let members = state.withLock { $0.members.values.map { $0 } }
    return members.compactMap(\.patch).flatMap { patch in patch.state.withLock { $0.inputs } }
  }
}
