import Gathering
import Ground
import Values

/// The lines above and below the sources on a screen, and its help.
struct ScreenText {
  let terminal: Terminal
  let columns: Int
  let state: ScreenState
  /// Whether there are keys, and those of a replay.
  let hasKeys: Bool
  let isReplay: Bool

  /// The first line: what is watched, and how it goes.
  func heading(_ title: String, _ sources: [WatchedSource], at now: Instant) -> StyledLine {
    let time = Value.time(now.realtime / 1_000_000_000 * 1_000_000_000).formatted()
    let updates = sources.reduce(0) { $0 + $1.count }
    let dropped = sources.reduce(0) { $0 + $1.selection.source.rates.dropped }
    var line = StyledLine(isReplay ? "gathered replay" : "gathered watch", .heading)
    line.add("  \(title.printable)")
    let facts = [
      time, "\(sources.count) \(sources.count == 1 ? "source" : "sources")",
      "\(updates) updates", dropped == 0 ? "" : "\(dropped) lost",
      state.isPaused ? "stands still" : "",
    ]
    for fact in facts where !fact.isEmpty && line.width + fact.count + 2 <= columns {
      line.add("  " + fact, .dimmed)
    }
    return line.fitted(to: columns)
  }

  /// The last line: the filter while it is typed, else the keys and the place.
  func footer(rows: Range<Int>, of height: Int) -> StyledLine {
    var line = StyledLine()
    if state.isTyping {
      line.add("/\(state.filter)", .heading)
      line.add("_  Enter keeps the filter, Esc ends it", .dimmed)
      return line.fitted(to: columns)
    }
    let place = height > rows.count ? "\(rows.lowerBound + 1)-\(rows.upperBound) of \(height)" : ""
    let room = columns - (place.isEmpty ? 0 : place.count + 2)
    for (key, word) in keys {
      let width = key.count + word.count + 1 + (line.width > 0 ? 2 : 0)
      if line.width + width > room { break }
      if line.width > 0 { line.add("  ") }
      line.add(key, .heading)
      line.add(" " + word, .dimmed)
    }
    line = line.fitted(to: columns - place.count)
    line.add(place, .dimmed)
    return line
  }

  private var keys: [(String, String)] {
    if !hasKeys { return [("Ctrl-C", "ends")] }
    return [
      ("q", "quit"), ("?", "help"),
      ("/", state.filter.isEmpty ? "filter" : "filter: \(state.filter.printable)"),
      ("s", "order: \(state.order.rawValue)"), ("Enter", state.isAlone ? "all sources" : "one"),
      ("a", state.showsAll ? "fewer values" : "all values"), ("p", "pause"), ("arrows", "choose"),
    ]
  }

  /// What the keys do.
  func help() -> [StyledLine] {
    let moves = isReplay ? "up down" : "arrows"
    var rows = [
      ("\(moves), h j k l", "choose a source"), ("PgUp PgDn Home End", "scroll"),
      ("Enter", "the chosen source alone; again, or Esc: all sources"),
      ("/", "show only sources and values whose name has a text"),
      ("Esc", "no filter"), ("s", "order: by kind, by name, what changes most first"),
      ("a", "also values that never change or are missing"), ("p", "stand still, go on"),
      ("q, Ctrl-C", "quit"), ("Ctrl-Z", "suspend"),
    ]
    if isReplay {
      rows =
        [
          ("space", "stop and go on with the recording"), ("left right", "jump by 5 seconds"),
          (".", "one step"), ("+ -", "faster, slower"),
        ] + rows
    }
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return [StyledLine("KEYS", .heading)]
      + rows.map { keys, words in
        var line = StyledLine("  " + keys.padded(to: width), .chosen)
        line.add(words)
        return line
      } + [StyledLine(), StyledLine("Any key closes this.", .dimmed)]
  }
}
