import Machine

extension Context {
  /// Takes one reading beside the schedule, or says why there is none, and notifies the listeners
  /// before it returns (sources L8).
  func updateValues(_ number: UInt32) throws(SourceError) {
    try check()
    guard var plan = core.withLock({ $0.planUpdate(number) }) else { throw .closed }
    if case .lookFirst(let kind) = plan {
      // Nothing told of changes so far: what was absent may be there by now.
      refreshList(kind)
      guard let newPlan = core.withLock({ $0.planUpdate(number) }) else { throw .closed }
      plan = newPlan
    }
    var told: [Delivery] = []
    switch plan {
    case .lookFirst, .absent:
      told = core.withLock { $0.enqueueAbsence(number, at: now) }
    case .read(let producer):
      told = take(producer, scope: .everything, due: .asked(number))
    }
    guard let last = told.last else { return }
    let job = cause(last)
    core.withLock { $0.showLatest(of: number, to: CurrentThread.identity) }
    dispatcher.settle(through: job)
  }

  /// Claims an instance for reading, once for all its sessions.
  func claim(_ producer: Int) throws(SourceError) {
    guard let plan = core.withLock({ $0.claimPlan(of: producer) }) else { throw .closed }
    let provider = provider
    try plan.box.claim { () throws(SourceError) -> sending any InstanceReader in
      let own = try provider.claim(plan.instance, of: plan.kind)
      guard plan.instance.isAggregate else {
        if let own { return own }
        throw .unavailable(
          Availability(
            .failed, detail: "\(plan.instance.name) has no reader",
            remedy: "report it to the authors of the library"))
      }
      var members: [any InstanceReader] = []
      for member in plan.members {
        // A member that cannot be claimed costs its share only.
        if let reader = try? provider.claim(member, of: plan.kind) { members.append(reader) }
      }
      return AggregateReader(plan.kind, own: own, members: members)
    }
  }

  /// Takes a reading and returns what is to be delivered to the sessions due.
  ///
  /// A reader that has to be made anew, because an aggregate's members changed, is read whole. If
  /// none can be made, that is a failed reading.
  func take(_ producer: Int, scope: ReadRequest.Scope, due: Due) -> [Delivery] {
    let plan = core.withLock { state in
      state.isClosed ? nil : state.producers[producer].map { ($0.box, state.allowance) }
    }
    guard let (box, allowance) = plan else { return [] }
    var told: [Delivery] = []
    let attempt = { (scope: ReadRequest.Scope) in
      box.read(ReadRequest(scope: scope, allow: allowance), clock: self.loop.clock) { reading in
        told = self.core.withLock { state in
          state.absorb(reading, by: producer, scope: scope, due: due)
        }
      }
    }
    if attempt(scope) { return told }
    do {
      try claim(producer)
      if attempt(.everything) { return told }
    } catch {
      return core.withLock { $0.absorb(error, by: producer, due: due, at: now) }
    }
    return told
  }

  /// Takes a reading and queues the updates for the loop.
  func refresh(_ producer: Int, scope: ReadRequest.Scope, due: Due) {
    for delivery in take(producer, scope: scope, due: due) { post(delivery) }
  }
}
