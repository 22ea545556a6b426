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
}
