import Gathering
import Values

/// How the sources stand on a screen: the fullest arrangement that fits, else one to scroll.
struct ScreenLayout {
  let terminal: Terminal
  let state: ScreenState
  /// Whether the sources were not named: then only what there is and changes is shown.
  let isDashboard: Bool
  let columns: Int
  let histories: [UInt32: SourceHistory]
  /// The present, on CLOCK_MONOTONIC.
  let now: Int64

  /// A field that the filter or the kind of watch leaves out is not among these.
  private struct Shown {
    let source: WatchedSource
    let fields: [Field]
  }

  /// The sources in their boxes, within a number of rows if they fit.
  func grid(of sources: [WatchedSource], rows: Int) -> PanelGrid {
    let shown = shown(of: sources)
    let shape = PanelGrid.columns(within: columns, for: shown.count)
    let few = isDashboard && !state.isAlone
    let extents: [PanelBody.Extent] =
      state.showsAll
      ? [.everything] : few ? [.everything, .first(8), .first(5)] : [.everything, .moving]
    var grid = PanelGrid([], columns: shape.count, width: shape.width)
    for extent in extents {
      let panels = shown.map { panel(of: $0, extent, columns: shape.width) }
      grid = PanelGrid(panels, columns: shape.count, width: shape.width)
      if grid.height <= rows { break }
    }
    return grid
  }

  /// The sources that are shown, in their order.
  private func shown(of sources: [WatchedSource]) -> [Shown] {
    let ordered = sorted(sources).filter {
      !state.isAlone || state.chosen == nil || $0.selection.source.number == state.chosen
    }
    return ordered.compactMap { source in
      let fields = fields(of: source)
      let id = source.selection.source.id.description
      if state.accepts(id) || state.accepts(source.selection.source.label) {
        return Shown(source: source, fields: fields)
      }
      let accepted = fields.filter { state.accepts($0.key) }
      return accepted.isEmpty ? nil : Shown(source: source, fields: accepted)
    }
  }

  private func sorted(_ sources: [WatchedSource]) -> [WatchedSource] {
    let name = { (source: WatchedSource) in source.selection.source.id.description }
    switch state.order {
    case .kind: return sources
    case .name: return sources.sorted { name($0) < name($1) }
    case .activity:
      let changes = { (source: WatchedSource) in
        histories[source.selection.source.number]?.changes ?? 0
      }
      return sources.sorted {
        (changes($1), name($0)) < (changes($0), name($1))
      }
    }
  }

  private func fields(of source: WatchedSource) -> [Field] {
    if isAbsent(source) { return [] }
    let all = source.selection.fields(of: source.samples)
    guard isDashboard, !state.showsAll, !state.isAlone else { return all }
    return all.filter { $0.hasPayload && $0.property.mode != .static }
  }

  private func panel(of shown: Shown, _ extent: PanelBody.Extent, columns: Int) -> Panel {
    let source = shown.source
    let number = source.selection.source.number
    let inner = max(columns - Panel.margins, 1)
    let body = PanelBody(
      terminal: terminal, columns: inner, history: histories[number] ?? SourceHistory(), now: now)
    var lines = body.lines(of: shown.fields, extent)
    if isAbsent(source) {
      lines = absence(of: source).wrapped(to: inner).map { StyledLine($0, .warning) }
    } else if lines.isEmpty {
      lines = [StyledLine("no values yet", .dimmed)]
    }
    let picture = isDashboard && !state.isAlone ? [] : Drawing.lines(of: source, columns: inner)
    if !picture.isEmpty { lines += picture.map { StyledLine($0) } }
    return Panel(
      source, lines, columns: columns, isChosen: number == state.chosen, terminal.glyphs)
  }

  // MARK: Absent sources

  private func isAbsent(_ source: WatchedSource) -> Bool {
    source.phase != .done && source.selection.source.availability.group != .available
  }

  private func absence(of source: WatchedSource) -> String {
    let availability = source.selection.source.availability
    let parts = [availability.explanation, availability.remedy].filter { !$0.isEmpty }
    return parts.joined(separator: "; ").printable
  }
}
