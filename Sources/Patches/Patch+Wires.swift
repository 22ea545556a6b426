public import Gathering
import Ground
public import Streams

extension Patch {
  /// Wires an output to an input of a patch: the input's handler gets the last value at once, then
  /// every value once.
  ///
  /// A wired input is moved. Throws `notFound`, and `typeMismatch` where no value could fit both;
  /// then the former wire stays.
  @discardableResult
  public func connect(
    _ output: String, to other: Patch, _ input: String
  ) throws(PatchError) -> Wire {
    let (port, output) = try resolve(output, .output)
    return try other.wire(input, to: WireEnd(port: port, patch: self, name: output))
  }

  /// Wires an input to a stream; the stream of an output makes the same wire as `connect`.
  @discardableResult
  public func setInput(
    _ name: String, _ stream: any ValueStream<Sample>
  ) throws(PatchError) -> Wire {
    guard let publink = stream as? Publink<Sample>, let end = try WireEnd(publink, on: loop) else {
      return try wire(name, toStream: stream)
    }
    return try wire(name, to: end)
  }

  /// Cuts the wire of an input, which keeps its handler and last value; without a wire it is no
  /// error.
  public func disconnect(_ input: String) throws(PatchError) {
    try port(input, .input).cutWire()
  }

  /// The wire of an input; nil without one.
  public func wire(of input: String) throws(PatchError) -> Wire? {
    let (port, input) = try resolve(input, .input)
    guard let record = port.state.withLock({ $0.wire }), record.isAlive else { return nil }
    return Wire(output: record.output, input: input, isFeedback: record.isFeedback)
  }

  // MARK: Below

  func wire(_ name: String, to end: WireEnd) throws(PatchError) -> Wire {
    let (input, name) = try resolve(name, .input)
    guard let owner = input.patch else { throw .notFound(name) }
    guard input.hint.meets(end.port.hint) else {
      throw .typeMismatch(port: name, expected: input.hint, given: end.port.hint.rawValue)
    }
    let order = loop.nextOrder()
    // Other threads may release an object that is examined here: its last reference must not end
    // under the lock.
    let (former, isFeedback, seen) = loop.wiring.withLock { wiring in
      let (isFeedback, seen) = end.patch.depends(on: owner, &wiring)
      var record = WireRecord(
        order: order, output: end.name, source: end.port,
        upstream: isFeedback ? nil : end.patch, origin: WeakPatch(patch: end.patch),
        isPatchWire: true, isFeedback: isFeedback)
      if owner !== self { record.via = (WeakPatch(patch: self), name) }
      end.note(order, to: input)
      return (input.replaceWire(by: record), isFeedback, seen)
    }
    withExtendedLifetime(seen) {}
    former?.end()
    // The initial value follows once the wire is recorded, so that a handler can remove the wire.
    let connection = loop.hold {
      let connection = end.port.wire(to: input, as: order)
      input.complete(order, with: connection, from: end.port)
      return connection
    }
    withExtendedLifetime(connection) {}
    // A port that was removed meanwhile may not have known of the wire yet.
    if end.port.isRemoved || input.isRemoved {
      input.cutWire { $0.order == order }
      throw loop.isClosed ? .closed : .notFound(input.isRemoved ? name : end.name)
    }
    return Wire(output: end.name, input: name, isFeedback: isFeedback)
  }

  private func wire(
    _ name: String, toStream stream: any ValueStream<Sample>
  ) throws(PatchError) -> Wire {
    let (input, name) = try resolve(name, .input)
    let order = loop.nextOrder()
    var record = WireRecord(
      order: order, output: "", source: nil, upstream: nil, origin: WeakPatch(),
      isPatchWire: false, isFeedback: false)
    if input.patch !== self { record.via = (WeakPatch(patch: self), name) }
    input.replaceWire(by: record)?.end()
    let connection = stream.subscribe { [weak input] sample in
      guard let input else { return }
      input.loop.append(.streamed(input, sample.stamped(on: input.loop), wire: order))
      input.loop.deliver()
    }
    input.complete(order, with: connection)
    // One that was removed meanwhile would keep the stream, and with it perhaps its own patch.
    if input.isRemoved {
      input.cutWire { $0.order == order }
      throw loop.isClosed ? .closed : .notFound(name)
    }
    return Wire(output: "", input: name, isFeedback: false)
  }
}

/// The output a wire is to come from.
struct WireEnd {
  let port: Port
  /// The patch of this output as the caller sees it: its own patch, or a graph that offers it.
  let patch: Patch
  let name: String

  /// Records a wire at the output, and at the graph that offers it.
  func note(_ order: UInt64, to input: Port) {
    port.state.withLock { $0.consumers[order] = WeakPort(port: input) }
    guard patch !== port.patch else { return }
    patch.state.withLock { $0.lentWires[order] = WeakPort(port: input) }
  }
}

extension WireEnd {
  /// The output a publink belongs to; nil if it belongs to none of this loop.
  ///
  /// Throws `notFound` for one that was removed or is offered no more.
  fileprivate init?(_ publink: Publink<Sample>, on loop: PatchLoop) throws(PatchError) {
    let offered = publink.route as? OfferedPort
    guard let port = offered?.port ?? publink.route as? Port, port.direction == .output,
      port.loop === loop, let patch = offered?.graph ?? port.patch
    else { return nil }
    let name = offered?.offer.name ?? port.name
    if port.isRemoved || offered?.isWithdrawn == true {
      throw loop.isClosed ? .closed : .notFound(name)
    }
    self.init(port: port, patch: patch, name: name)
  }
}

extension Port {
  /// Takes a record for the wire; the former one is for the caller to cut.
  func replaceWire(by record: WireRecord?) -> WireRecord? {
    state.withLock { state in
      defer { state.wire = record }
      return state.wire
    }
  }

  /// Puts the connection into the record of its wire, unless another wire has taken its place.
  func complete(_ order: UInt64, with connection: Connection, from output: Port? = nil) {
    let isLate = state.withLock { state in
      guard state.wire?.order == order else { return true }
      state.wire?.connection = connection
      return false
    }
    guard isLate else { return }
    output?.unwire(order)
    connection.disconnect()
  }

  /// Wires this output to an input of this loop. The record of the wire keeps the upstream patch,
  /// so it can be released later; the subscription does not.
  func wire(to input: Port, as wire: UInt64) -> Connection {
    // Where others subscribe, too, the value takes this way.
    let subscription = core.makeLooseSubscription { [weak input] in input?.arrive($0) }
    loop.values.withLock { values in
      values.placeInitialValue(of: self) { value, values in
        values.wire(self, to: input, as: wire, subscription, initialValue: value)
      }
    }
    observationChanged()
    return Connection(closing: subscription)
  }

  /// Sends no value over a wire any more.
  func unwire(_ wire: UInt64) {
    let former = loop.values.withLock { $0.unwire(key, wire) }
    withExtendedLifetime(former) {}
  }

  func cutWire() { replaceWire(by: nil)?.end() }

  /// Cuts the wire if it is meant.
  func cutWire(where isMeant: (WireRecord) -> Bool) {
    guard let wire = state.withLock({ $0.wire }), isMeant(wire) else { return }
    let former = state.withLock { state -> WireRecord? in
      guard state.wire?.order == wire.order else { return nil }
      return state.wire.take()
    }
    former?.end()
  }

  /// The inputs it is wired to, as an output, in the order of nothing in particular.
  var consumers: [Port] { state.withLock { $0.consumers.values.compactMap(\.port) } }
}

extension Sample {
  /// With the present where it has no times.
  func stamped(on loop: PatchLoop) -> Sample {
    guard isUnstamped else { return self }
    var sample = self
    sample.stamp(loop.instant)
    return sample
  }
}
