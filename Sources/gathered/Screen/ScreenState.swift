/// What a person has chosen on a screen by keys.
struct ScreenState {
  /// The order of the sources.
  enum Order: String, CaseIterable {
    case kind, name, activity
  }

  /// What is asked for; sources and values without it are not shown.
  private(set) var filter = ""
  /// Whether keys are letters of the filter.
  private(set) var isTyping = false
  private(set) var showsHelp = false
  private(set) var order = Order.kind
  /// Whether values that never change, and those that are missing, are shown too.
  private(set) var showsAll = false
  /// Whether the screen stands still.
  private(set) var isPaused = false
  /// Whether the chosen source has the screen for itself.
  var isAlone = false
  private(set) var isEnding = false
  /// The source that is chosen, by its session.
  var chosen: UInt32?
  /// The first row of the sources that is seen.
  var top = 0

  /// Obeys a key that changes more than the place; false if it means nothing here.
  mutating func obey(_ key: Keyboard.Key) -> Bool {
    if showsHelp {
      showsHelp = false
      return true
    }
    if isTyping, type(key) { return true }
    switch key {
    case .character("q"): isEnding = true
    case .character("?"): showsHelp = true
    case .character("/"):
      isTyping = true
      filter = ""
    case .character("s"):
      let all = Order.allCases
      order = all[((all.firstIndex(of: order) ?? 0) + 1) % all.count]
    case .character("a"): showsAll.toggle()
    case .character("p"): isPaused.toggle()
    case .enter: isAlone.toggle()
    case .escape where isAlone: isAlone = false
    case .escape: filter = ""
    default: return false
    }
    top = 0
    return true
  }

  /// Obeys a key of the filter.
  private mutating func type(_ key: Keyboard.Key) -> Bool {
    switch key {
    case .character(let character): filter.append(character)
    case .backspace: _ = filter.popLast()
    case .enter: isTyping = false
    case .escape:
      isTyping = false
      filter = ""
    default: return false
    }
    top = 0
    return true
  }

  /// Whether a text has what is asked for.
  func accepts(_ text: String) -> Bool {
    filter.isEmpty || text.lowercased().contains(filter.lowercased())
  }
}
