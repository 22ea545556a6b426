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
    for kind in discovery?.kinds(table) ?? [] { outgoing.announcements.append(.discovery(kind)) }
  }

  /// What Home Assistant was told otherwise.
  func announceDiscoveryNews() {
    for kind in table.takeOutdatedKinds() where discovery != nil {
      outgoing.announcements.append(.discovery(kind))
    }
  }

  /// Tells Home Assistant of a kind; false if that has to wait.
  func sendDiscovery(of kind: String, on link: BrokerLink) -> Bool {
    guard let message = discovery?.message(of: kind, table) else { return true }
    let isSent = outgoing.send(message, on: link)
    discovery?.note(kind, isSent: isSent)
    return isSent
  }
}
