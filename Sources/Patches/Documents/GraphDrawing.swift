extension Graph {
  /// The graph as text for Graphviz: the same graph always gives the same text.
  public func dot() -> String {
    var text = "digraph {\n  rankdir=LR;\n  node [shape=box];\n"
    let content = content
    let numbers = numbers(content)
    for child in content.children {
      let label = "\(child.name.escapedForDOT)\\n\((child.patch.type ?? "").escapedForDOT)"
      text += "  n\(numbers[child.name] ?? 0) [label=\"\(label)\"];\n"
    }
    for wire in innerWires(content) {
      let style = wire.isFeedback ? ", style=dashed" : ""
      text += "  n\(numbers[wire.fromChild] ?? 0) -> n\(numbers[wire.toChild] ?? 0)"
      text += " [label=\"\(wire.label.escapedForDOT)\"\(style)];\n"
    }
    return text + "}\n"
  }

  /// The graph as a Mermaid flow chart: the same graph always gives the same text.
  public func mermaid() -> String {
    var text = "flowchart LR\n"
    let content = content
    let numbers = numbers(content)
    for child in content.children {
      let label =
        "\(child.name.escapedForMermaid)<br/>"
        + (child.patch.type ?? "").escapedForMermaid
      text += "  n\(numbers[child.name] ?? 0)[\"\(label)\"]\n"
    }
    for wire in innerWires(content) {
      let arrow = wire.isFeedback ? "-.->" : "-->"
      text += "  n\(numbers[wire.fromChild] ?? 0) \(arrow)|\"\(wire.label.escapedForMermaid)\"| "
      text += "n\(numbers[wire.toChild] ?? 0)\n"
    }
    return text
  }

  private func numbers(_ content: GraphContent) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for (number, child) in content.children.enumerated() { numbers[child.name] = number }
    return numbers
  }
}

extension String {
  /// Within quotation marks of Graphviz.
  fileprivate var escapedForDOT: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// Within quotation marks of Mermaid: whatever might mean something there, as its number.
  fileprivate var escapedForMermaid: String {
    var text = ""
    for scalar in unicodeScalars {
      let isPlain =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || [" ", "_", "-", ".", "→"].contains(scalar)
      if isPlain { text.unicodeScalars.append(scalar) } else { text += "#\(scalar.value);" }
    }
    return text
  }
}
