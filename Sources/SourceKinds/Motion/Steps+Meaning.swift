import Gathering

extension Steps {
  static var about: KindMeaning {
    KindMeaning(
      "steps walked, and how the person moves",
      from: "IIO steps and activity channels",
      instances: "the chips")
  }
}

extension Steps.Field {
  var meaning: Meaning {
    switch self {
    case .count:
      Meaning("steps since the system started, while the counter was on", from: "in_steps_input")
    case .sessionCount:
      Meaning("steps since the session started", from: "difference of count, over resets")
    case .activity: Meaning("how the person moves", from: "the highest of in_activity_*_input")
    default: tailMeaning
    }
  }
}
