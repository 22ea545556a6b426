extension ProducerState {
  /// Lets nothing stay in sight that is not allowed any more (sources P3).
  func withhold(by identity: MachineIdentity) {
    newest.withhold(by: identity, unless: categories)
    forgetBasis()
    for session in sessions { session.withhold(by: identity, unless: categories) }
  }
}

extension CoreState {
  /// The identity for digests of hardware addresses of a kind; nil if addresses may be shown, or
  /// there are none.
  func withholder(of kind: Int) -> MachineIdentity? {
    guard let identity = kinds[kind].identity else { return nil }
    return allowance.permits(.mac) ? nil : identity
  }

  /// An error of a session's, as it is shown.
  func shown(_ error: SourceError, to session: UInt32) -> SourceError {
    guard let kind = sessions[session]?.kindIndex, let identity = withholder(of: kind) else {
      return error
    }
    return error.withheld(by: identity)
  }
}
