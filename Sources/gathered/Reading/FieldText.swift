import Gathering
import Ground
import Values

extension Field {
  /// The value alone: for people on a terminal, exact and in the declared unit elsewhere.
  func text(on terminal: Terminal) -> String {
    property.format(sample.value, terminal.isInteractive ? .people : .machine)
  }

  /// The value, or the text in its place, as plain text with its style.
  func cell(on terminal: Terminal) -> Table.Cell {
    guard hasPayload else { return Table.Cell(explanation, .dimmed) }
    let value = text(on: terminal)
    if sample.status == .ok { return Table.Cell(value) }
    return Table.Cell("\(value)  (\(explanation))", .dimmed)
  }

  /// The same in colour.
  func styledText(on terminal: Terminal) -> String {
    let cell = cell(on: terminal)
    return terminal.styled(cell.text, cell.style)
  }
}
