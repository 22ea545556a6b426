import Gathering
import Glibc
import Ground
import Values

extension Field {
  /// The value alone: for people on a terminal, exact and in the declared unit elsewhere.
  func text(on terminal: Terminal) -> String {
    property.format(sample.value, terminal.isInteractive ? .people : .machine)
  }

  /// The value for people, within so many columns if it is a vector: in fewer digits, down to one,
  /// rather than without its last components.
  func text(within columns: Int) -> String {
    let whole = property.format(sample.value)
    guard let largest = sample.value.vector?.components.map(abs).max(), largest > 0,
      largest.isFinite, whole.columnWidth > columns
    else { return whole }
    let size = pow(10, log10(largest).rounded(.down))
    let coarser = [size / 100, size / 10, size].map { step in
      var property = property
      property.resolution = max(step, property.resolution ?? step)
      return property.format(sample.value)
    }
    return coarser.first { $0.columnWidth <= columns } ?? whole
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
