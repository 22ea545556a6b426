import Gathering
import Ground
import Machine

/// How a client's locations become reports.
extension GeoClueLink {
  /// The client may have another location: that of its copy, kept up to date by the bus.
  func look(_ generation: Int) {
    guard let client = state.withLock({ $0.generation == generation ? $0.client : nil }) else {
      return
    }
    let view = bus.view(of: GeoClueDaemon.client(at: client), waiting: 0)
    let object = view.object(client, GeoClueDaemon.client)
    if let path = object?[GeoClueDaemon.client, "Location"]?.path { fetch(path, generation) }
  }

  /// Queries the client itself, in case its copy was not updated.
  func ask() {
    let found = state.withLock { state -> (String, Int)? in
      guard state.step == .started, !state.isAsking, let client = state.client else { return nil }
      state.isAsking = true
      return (client, state.generation)
    }
    guard let (client, generation) = found else { return }
    let arguments: [BusValue] = [.string(GeoClueDaemon.client), .string("Location")]
    bus.call(call(client, Self.properties, "Get", arguments)) { [weak self] answer in
      guard let self else { return }
      state.withLock { if $0.generation == generation { $0.isAsking = false } }
      switch answer {
      case .success(let values):
        if let path = values.first?.plain.path { fetch(path, generation) }
      case .failure(let failure):
        // Another daemon took over that does not have this client.
        let names = ["UnknownObject", "UnknownMethod", "UnknownInterface"]
        guard names.contains(where: failure.name.hasSuffix) else { return }
        guard state.withLock({ $0.generation == generation }) else { return }
        forget(.connecting)
        review()
      }
    }
  }

  private func fetch(_ path: String, _ generation: Int) {
    let isNew = state.withLock { state in
      // "/" stands for none so far.
      guard state.generation == generation, path != "/", path != state.location else {
        return false
      }
      state.location = path
      return true
    }
    guard isNew else { return }
    let question = call(path, Self.properties, "GetAll", [.string(GeoClueDaemon.location)])
    bus.call(question) { [weak self] answer in
      guard let self else { return }
      guard let named = (try? answer.get())?.first?.named else {
        // It may be there the next time.
        return state.withLock { if $0.location == path { $0.location = nil } }
      }
      take(GeoClueDaemon.report(named), generation)
    }
  }

  private func take(_ report: PositionReport, _ generation: Int) {
    let now = clock.now.boot
    let isNews = change { state in
      guard state.generation == generation else { return nil }
      let hadFix = state.receiver.hasFix
      state.receiver.takeWhole(report, at: now)
      return state.receiver.hasFix != hadFix
    }
    if isNews != nil {
      notices?.send(ChangeNotice(topic: PositionTopic.report(of: GeoClueDaemon.word)))
    }
  }
}
