public import Gathering
public import Ground
import Streams
import Values

/// A patch made of patches: named children, wired to each other. It may offer ports of its children
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
  public var childNames: [String] { content.children.all.map(\.name) }

  /// The child of a name; nil if there is none.
  public subscript(name: String) -> Patch? { patch.state.withLock { $0.graph?.children[name] } }

  /// Adds a child under a name, or under its type's, followed by 2, 3, … when taken.
  ///
  /// Throws `badName`, `duplicateName`, and `exists` for one that is in a graph already.
  @discardableResult
  public func add(_ child: Patch, as name: String? = nil) throws(PatchError) -> String {
    if patch.isClosed { throw .closed }
    guard child.loop === patch.loop else { throw .badName("a patch of another context") }
    let outcome = patch.loop.wiring.withLock { wiring in
      Result { () throws(PatchError) in try enter(child, as: name, &wiring) }
    }
    return try outcome.get().name
  }

  /// Removes a child: its wires inside the graph are cut and the ports it lent withdrawn.
  public func remove(_ name: String) throws(PatchError) {
    guard let child = self[name] else { throw .notFound(name) }
    let lent = patch.state.withLock { state in
      state.graph?.offers.remove { $0.child === child } ?? []
    }
    for offer in lent { patch.cutOff(offer, isWithdrawn: true) }
    patch.cutWires(of: child)
    child.state.withLock { state in
      state.name = ""
      state.parent = WeakPatch()
    }
    let former = patch.state.withLock { $0.graph?.children.remove(name) }
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

  /// Called only while the lock of the wiring is held; the caller releases the returned objects.
  private func enter(
    _ child: Patch, as name: String?, _ wiring: inout Wiring
  ) throws(PatchError) -> (name: String, spent: [Patch]) {
    if child.parent != nil { throw .exists("the patch in a graph") }
    var ancestors = [patch]
    while let next = ancestors.last?.parent { ancestors.append(next) }
    if ancestors.contains(where: { $0 === child }) { throw .exists("the graph around itself") }
    let type = child.type ?? "patch"
    let free = patch.state.withLock { state in
      Result { () throws(PatchError) in try state.graph?.children.name(for: type, given: name) }
    }
    guard let name = try free.get() else { throw .closed }
    // A wire from a graph that will contain the child must not keep that graph.
    var (isFedByUs, spent) = child.depends(on: patch, &wiring)
    spent += ancestors
    if isFedByUs {
      let kept = child.everythingItKeeps(&wiring)
      spent += kept
      for seen in kept {
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
    guard let (childName, portName) = reference.asReference, let child = self[childName]
    else { throw .notFound(reference) }
    // An offered port of an inner graph is offered by its name there.
    let port = try child.resolve(portName, direction).name
    if patch.find(name, direction) != nil { throw .duplicateName(name) }
    let offer = Offer(name: name, direction: direction, child: child, port: port)
    // An offer of this name whose port no longer exists is replaced.
    let former = patch.state.withLock { $0.graph?.offers.append(offer) }
    withExtendedLifetime(former) {}
  }
}

extension Patch {
  /// The graph this patch is; nil if it is none.
  public var graph: Graph? {
    state.withLock { $0.graph != nil } ? Graph(viewing: self) : nil
  }

  /// The graph it is in; nil outside.
  var parent: Patch? { state.withLock { $0.parent.patch } }

  /// Withdraws an offered port; false if there is none of this name.
  func withdraw(_ name: String, _ direction: Port.Direction) -> Bool {
    let former = state.withLock { state -> [Offer] in
      guard state.graph?.offers.offer(named: name, direction) != nil else { return [] }
      return state.graph?.offers.remove { $0.direction == direction && $0.name.isSpelt(name) } ?? []
    }
    for offer in former { cutOff(offer, isWithdrawn: true) }
    return !former.isEmpty
  }

  /// Removes the wires and subscriptions that were made to an offered port of this graph, and to
  /// offers of it by graphs around it.
  fileprivate func cutOff(_ offer: Offer, isWithdrawn: Bool) {
    cutOff(offer, at: offer.child.find(offer.port, offer.direction)?.port, isWithdrawn: isWithdrawn)
  }

  private func cutOff(_ offer: Offer, at port: Port?, isWithdrawn: Bool) {
    offer.subscriptions.closeAll(isWithdrawn: isWithdrawn)
    switch offer.direction {
    case .input:
      port?.cutWire { wire in
        wire.via?.graph.patch === self && wire.via?.name.isSpelt(offer.name) == true
      }
    case .output:
      for input in port?.consumers ?? [] {
        input.cutWire { $0.origin.patch === self && $0.output.isSpelt(offer.name) }
      }
    }
    guard let parent else { return }
    let outer = parent.state.withLock { $0.graph?.offers.all ?? [] }.filter { outer in
      outer.child === self && outer.direction == offer.direction && outer.port.isSpelt(offer.name)
    }
    for offer in outer { parent.cutOff(offer, at: port, isWithdrawn: false) }
  }

  /// Cuts the wires between a child of this graph and its siblings, and the graph.
  fileprivate func cutWires(of child: Patch) {
    let isInside = { (other: Patch?) in other === self || other?.parent === self }
    for (_, input) in child.ports(.input) {
      input.cutWire { $0.owner(at: input) === child && isInside($0.origin.patch) }
    }
    for input in child.consumers {
      input.cutWire { $0.origin.patch === child && isInside($0.owner(at: input)) }
    }
  }

  /// The inputs that are wired to its outputs, or to ports it offers.
  var consumers: [Port] {
    let (outputs, lent) = state.withLock { ($0.outputs, $0.lentWires.values.map { $0 }) }
    return outputs.flatMap(\.consumers) + lent.compactMap(\.port)
  }

  /// Turns wires from some patches into feedback wires; the caller releases the patches.
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
