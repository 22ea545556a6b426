extension Graph {
  /// The graph as text for Graphviz: the same graph always gives the same text.
  public func dot() -> String {
    var text = "digraph {\n  rankdir=LR;\n  node [shape=box];\n"
    let content = content
    let numbers = numbers(content)
    for child in content.children.all {
      let label = "\(child.name.escapedForDOT)\\n\((child.patch.type ?? "").escapedForDOT)"
      text += "  n\(numbers[child.name] ?? 0) [label=\"\(label)\"];\n"
    }
    for wire in innerWires(content) {
      let style = wire.isFeedback ? ", style=dashed" : ""
      text += "  n\(numbers[wire.fromChild] ?? 0) -> n\(numbers[wire.toChild] ?? 0)"
      let label = "\(wire.output.escapedForDOT) → \(wire.input.escapedForDOT)"
      text += " [label=\"\(label)\"\(style)];\n"
    }
    return text + "}\n"
  }

  /// The graph as a Mermaid flow chart: the same graph always gives the same text.
  public func mermaid() -> String {
    var text = "flowchart LR\n"
    let content = content
    let numbers = numbers(content)
    for child in content.children.all {
      let label =
        "\(child.name.escapedForMermaid)<br/>"
        + (child.patch.type ?? "").escapedForMermaid
      text += "  n\(numbers[child.name] ?? 0)[\"\(label)\"]\n"
    }
    for wire in innerWires(content) {
      let arrow = wire.isFeedback ? "-.->" : "-->"
      let label = "\(wire.output.escapedForMermaid) → \(wire.input.escapedForMermaid)"
      text += "  n\(numbers[wire.fromChild] ?? 0) \(arrow)|\"\(label)\"| "
      text += "n\(numbers[wire.toChild] ?? 0)\n"
    }
    return text
  }

  private func numbers(_ content: GraphContent) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for (number, child) in content.children.all.enumerated() { numbers[child.name] = number }
    return numbers
  }
}

extension String {
  /// Escaped for quotation marks of Graphviz, which interprets HTML entities in them.
  fileprivate var escapedForDOT: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
      if scalar == "&" { text += "amp;" }
    }
    return text
  }

  /// Escaped for quotation marks of Mermaid: every character that may be special there, or in the
  /// Markdown of labels, becomes a numeric entity.
  fileprivate var escapedForMermaid: String {
    var text = ""
    let scalars = Array(unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      // Between letters both mean nothing.
      let isJoint = scalar == "_" || scalar == " "
      let isWithin =
        isJoint && index > 0 && scalars[index - 1].isPlain && index + 1 < scalars.count
        && scalars[index + 1].isPlain
      if scalar.isPlain || isWithin {
        text.unicodeScalars.append(scalar)
      } else {
        text += "#\(scalar.value);"
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether it is a Latin letter or a digit.
  fileprivate var isPlain: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
  }
}
