import Gathering

extension Session {
  static var about: KindMeaning {
    KindMeaning(
      "who is at the machine: whether its sessions are used, idle or locked",
      from: "systemd-logind on D-Bus", instances: "the seats, then the sessions without one")
  }
}

extension Session.Field {
  var meaning: Meaning {
    switch self {
    case .present:
      Meaning("whether a user is there", from: "a session that is neither idle nor locked")
    case .idle: Meaning("whether the session is not used", from: "logind Session.IdleHint")
    case .idleSince: Meaning("when it was used last", from: "logind Session.IdleSinceHint")
    case .idleTime:
      Meaning("for how long it is not used", from: "now − logind Session.IdleSinceHintMonotonic")
    case .locked: Meaning("whether its screen is locked", from: "logind Session.LockedHint")
    case .sessionCount:
      Meaning("sessions of users", from: "counted in logind Manager.ListSessions")
    case .type: Meaning("what the session runs on", from: "logind Session.Type")
    case .desktop: Meaning("desktop of the session", from: "logind Session.Desktop")
    case .user: Meaning("name of its user", from: "logind Session.Name")
    case .since: Meaning("when it began", from: "logind Session.Timestamp")
    case .preparingForSleep:
      Meaning("whether the machine is about to sleep", from: "logind PrepareForSleep")
    case .preparingForShutdown:
      Meaning("whether the machine is about to go down", from: "logind PrepareForShutdown")
    case .inhibited:
      Meaning("what programs forbid: shutdown, sleep, idle …", from: "logind BlockInhibited")
    }
  }
}
