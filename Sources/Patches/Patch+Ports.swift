public import Gathering
import Ground
public import Streams
public import Values

extension Patch {
  /// The inputs by name, each a publink of its own: publishing on it sets the input.
  ///
  /// Of names that `String` takes for equal one is here; `input(_:)` finds either.
  public var inputs: [String: Publink<Sample>] { publinks(.input) }

  /// The outputs by name, each a publink of its own.
  ///
  /// Of names that `String` takes for equal one is here; `output(_:)` finds either.
  public var outputs: [String: Publink<Sample>] { publinks(.output) }

  /// The publink of one input, or `notFound`.
  public func input(_ name: String) throws(PatchError) -> Publink<Sample> {
    try publink(name, .input)
  }

  /// The publink of one output, or `notFound`.
  public func output(_ name: String) throws(PatchError) -> Publink<Sample> {
    try publink(name, .output)
  }

  /// The last value of an output; nil before the first, and for a name that it does not have.
  package func lastSample(ofOutput name: String) -> Sample? {
    (try? port(name, .output))?.last
  }

  /// The names of the inputs, in the order they were made.
  public var inputNames: [String] { names(.input) }

  /// The names of the outputs, in the order they were made.
  public var outputNames: [String] { names(.output) }

  /// Makes an input; one of this name is replaced.
  ///
  /// A name is not empty and has no control characters; another makes no input and is announced on
  /// `errors`. The handler must not own the patch, which it is given on each call.
  public func addInput(
    _ name: String, _ hint: PortType = .any, _ handler: @escaping Handler = { _, _ in }
  ) {
    do throws(PatchError) {
      try define(input: PortDescription(name, hint), handler)
    } catch {
      announce(error)
    }
  }

  /// Makes an output; one of this name is replaced. A bad name is announced on `errors`.
  public func addOutput(_ name: String, _ hint: PortType = .any) {
    do throws(PatchError) {
      try define(output: PortDescription(name, hint))
    } catch {
      announce(error)
    }
  }

  /// Makes an input of a description, or throws `badName` or `closed`.
  public func define(
    input description: PortDescription, _ handler: @escaping Handler
  ) throws(PatchError) {
    try define(input: description, received: HandlerReceiver(handler, in: self))
  }

  /// Makes an output of a description, or throws `badName` or `closed`.
  public func define(output description: PortDescription) throws(PatchError) {
    _ = try makePort(description, .output, nil)
  }

  /// Removes an input with its wire and subscribers.
  public func removeInput(_ name: String) throws(PatchError) { try remove(name, .input) }

  /// Removes an output with its wires and subscribers.
  public func removeOutput(_ name: String) throws(PatchError) { try remove(name, .output) }

  // MARK: Values

  /// Calls the handler of an input with a value, once; its wire stays as it is.
  public func set(_ payload: Payload, for input: String) throws(PatchError) {
    try port(input, .input).give(Sample(payload))
  }

  /// Publishes on an output: wires and subscribers get it in the order they were made.
  public func publish(_ payload: Payload, on output: String) throws(PatchError) {
    try port(output, .output).give(Sample(payload))
  }

  /// Publishes a sample with times and status of its own; one without times is given them.
  public func publish(_ sample: Sample, on output: String) throws(PatchError) {
    try port(output, .output).give(sample)
  }

  // MARK: Subscribers

  /// Subscribes in the name of an object, which is not kept; a second call replaces the first.
  public func subscribe(
    to output: String, for subscriber: any AnyObject & Sendable,
    _ receive: @escaping @Sendable (Sample) -> Void
  ) throws(PatchError) {
    try publink(output, .output).subscribe(for: subscriber, receive)
  }

  /// Removes the subscription of an object.
  public func unsubscribe(
    from output: String, for subscriber: any AnyObject & Sendable
  ) throws(PatchError) {
    try publink(output, .output).unsubscribe(for: subscriber)
  }

  // MARK: Below

  /// Makes an input of a description with a receiver.
  func define(
    input description: PortDescription, received receiver: any InputReceiver
  ) throws(PatchError) {
    _ = try makePort(description, .input, receiver)
  }

  /// The port of a name; if there is none, a lowerCamel name is looked up in snake_case.
  func port(_ name: String, _ direction: Port.Direction) throws(PatchError) -> Port {
    try resolve(name, direction).port
  }

  /// The same with the name as it is spelt here.
  func resolve(
    _ name: String, _ direction: Port.Direction
  ) throws(PatchError) -> (port: Port, name: String) {
    if let found = find(name, direction) { return found }
    if let snake = name.snakeCase, let found = find(snake, direction) { return found }
    throw loop.isClosed ? .closed : .notFound(name)
  }

  func find(_ name: String, _ direction: Port.Direction) -> (port: Port, name: String)? {
    let (port, offer) = look(name, direction)
    if let port { return (port, name) }
    return offer.flatMap { offer in
      offer.child.find(offer.port, direction).map { ($0.port, name) }
    }
  }

  /// Its own port of a name, or the port it offers under that name.
  private func look(_ name: String, _ direction: Port.Direction) -> (Port?, Offer?) {
    state.withLock { state in
      let ports = direction == .input ? state.inputs : state.outputs
      if let port = ports.first(where: { $0.name.isSpelt(name) }) { return (port, nil) }
      return (nil, state.graph?.offers.offer(named: name, direction))
    }
  }

  /// The publink of a port, which keeps this patch and the port's own alive.
  private func publink(
    _ name: String, _ direction: Port.Direction
  ) throws(PatchError) -> Publink<Sample> {
    if let publink = findPublink(name, direction) { return publink }
    if let snake = name.snakeCase, let publink = findPublink(snake, direction) { return publink }
    throw loop.isClosed ? .closed : .notFound(name)
  }

  private func findPublink(_ name: String, _ direction: Port.Direction) -> Publink<Sample>? {
    let (port, offer) = look(name, direction)
    if let port { return Publink(core: port.core, route: port, keeper: self) }
    guard let offer, let offered = offered(offer) else { return nil }
    return Publink(core: offered.port.core, route: offered, keeper: offered)
  }

  /// An offered port, by way of all graphs down to the patch that has it.
  private func offered(_ offer: Offer) -> OfferedPort? {
    let (port, below) = offer.child.look(offer.port, offer.direction)
    if let port { return OfferedPort(of: self, offer, port: port, inner: nil) }
    guard let below, let inner = offer.child.offered(below) else { return nil }
    return OfferedPort(of: self, offer, port: inner.port, inner: inner)
  }

  private func publinks(_ direction: Port.Direction) -> [String: Publink<Sample>] {
    var all: [String: Publink<Sample>] = [:]
    for name in names(direction) { all[name] = findPublink(name, direction) }
    return all
  }

  func names(_ direction: Port.Direction) -> [String] { ports(direction).map(\.name) }

  /// Its ports, followed by those it offers, with their names here.
  func ports(_ direction: Port.Direction) -> [(name: String, port: Port)] {
    let (own, offers) = state.withLock { state in
      (direction == .input ? state.inputs : state.outputs, state.graph?.offers.all ?? [])
    }
    let lent = offers.filter { $0.direction == direction }.compactMap { offer in
      offer.child.find(offer.port, direction).map { (offer.name, $0.port) }
    }
    return own.map { ($0.name, $0) } + lent
  }

  /// Makes a port; one of its name is replaced.
  func makePort(
    _ description: PortDescription, _ direction: Port.Direction, _ receiver: (any InputReceiver)?
  ) throws(PatchError) -> Port {
    guard description.name.isPortName else { throw .badName(description.name) }
    let port = Port(description, direction, of: self, loop: loop, receiver: receiver)
    let (former, isClosed) = state.withLock { state -> (Port?, Bool) in
      if state.isClosed { return (nil, true) }
      let path = direction == .input ? \State.inputs : \State.outputs
      let ports = state[keyPath: path]
      guard let slot = ports.firstIndex(where: { $0.name.isSpelt(port.name) }) else {
        state[keyPath: path].append(port)
        return (nil, false)
      }
      state[keyPath: path][slot] = port
      return (ports[slot], false)
    }
    if isClosed { throw .closed }
    former?.remove()
    // A graph may have offered one of this name.
    _ = withdraw(port.name, direction)
    if former != nil { observationChanged() }
    return port
  }

  private func remove(_ name: String, _ direction: Port.Direction) throws(PatchError) {
    if withdraw(name, direction) { return }
    let port = state.withLock { state -> Port? in
      let path = direction == .input ? \State.inputs : \State.outputs
      let slot = state[keyPath: path].firstIndex { $0.name.isSpelt(name) }
      return slot.map { state[keyPath: path].remove(at: $0) }
    }
    guard let port else { throw loop.isClosed ? .closed : .notFound(name) }
    port.remove()
    observationChanged()
  }
}

extension String {
  /// Whether it is text without control characters.
  var isPortName: Bool {
    !isEmpty && !unicodeScalars.contains(where: \.isControl)
  }

  /// The snake_case of a lowerCamel name; nil for other names.
  var snakeCase: String? {
    guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return nil }
    var snake: [UInt8] = []
    for byte in utf8 {
      if (0x41...0x5A).contains(byte) {
        if !snake.isEmpty { snake.append(UInt8(ascii: "_")) }
        snake.append(byte | 0x20)
      } else {
        snake.append(byte)
      }
    }
    return String(decoding: snake, as: UTF8.self)
  }
}
