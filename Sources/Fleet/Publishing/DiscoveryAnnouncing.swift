import Ground
import Machine

extension PublisherWork {
  /// What every source is, and how it is now.
  func announceSources() {
    for number in table.present { outgoing.announcements.append(.about(number)) }
    for number in table.present where table[number]?.newest.isEmpty == false {
      outgoing.announcements.append(.state(number))
    }
  }

  /// All that Home Assistant is told.
  func announceDiscovery() {
    discovery?.begin()
    let present = table.present.compactMap { table[$0]?.kind }
    for kind in discovery?.kinds(with: present) ?? [] {
      outgoing.announcements.append(.discovery(kind))
    }
  }

  /// What Home Assistant was told otherwise.
  func announceDiscoveryNews() {
    for kind in table.takeOutdatedKinds() where discovery != nil {
      outgoing.announcements.append(.discovery(kind))
    }
  }

  /// Tells Home Assistant of a kind; false if that has to wait.
  func sendDiscovery(of kind: String, on link: BrokerLink) -> Bool {
    let members = table.numbers.compactMap { table[$0] }.filter { $0.kind == kind }
    guard let message = discovery?.message(of: kind, members, but: table.gone) else { return true }
    let isSent = outgoing.send(message, on: link)
    discovery?.note(kind, isSent: isSent)
    return isSent
  }

  /// Sends one of the announcements; false if it has to wait.
  func announce(_ item: Announcements.Item, on link: BrokerLink, at now: Int64) -> Bool {
    switch item {
    case .online: return outgoing.send(facts.online(true), on: link)
    case .device: return outgoing.send(facts.message(table.list.dictionary, .device), on: link)
    case .about(let number):
      guard let series = table[number] else { return true }
      let about = AboutMessage(
        session: facts.session, sent: facts.clock.now, interval: series.interval,
        hasRows: series.hasRows, series: series.described)
      return outgoing.send(facts.message(about.dictionary, series.subject(.about)), on: link)
    case .state(let number):
      guard let series = table[number], !series.newest.isEmpty else { return true }
      let state = series.state(session: facts.session, sent: facts.clock.now)
      let message = facts.message(state.dictionary, series.subject(.state))
      guard outgoing.send(message, on: link) else { return false }
      table.noteState(of: number, at: now)
      return true
    case .clearing(let number):
      guard let series = table[number] else { return true }
      return [FleetTopic.What.about, .state].allSatisfy { what in
        let topic = facts.topic(series.subject(what))
        return outgoing.send(BrokerMessage(topic, [], isRetained: true), on: link)
      }
    case .discovery(let kind): return sendDiscovery(of: kind, on: link)
    }
  }
}
