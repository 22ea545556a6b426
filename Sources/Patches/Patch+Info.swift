import Gathering
import Ground
import Streams
public import Values

extension Patch {
  /// A description of the patch, as C and Python get it: `{type, name, inputs: [{name, hint, wired,
  /// feedback, errors}], outputs: [{name, hint}], children: [{name, type}]}`.
  public var info: ValueDictionary {
    let inputs = ports(.input).map { name, port -> Value in
      let (wire, errors) = port.state.withLock { ($0.wire, $0.errorCount) }
      let isWired = wire?.isAlive == true
      return .dictionary([
        "name": .string(name), "hint": .string(port.hint.rawValue), "wired": .bool(isWired),
        "feedback": .bool(isWired && wire?.isFeedback == true), "errors": .int(Int64(errors)),
      ])
    }
    let outputs = ports(.output).map { name, port in
      Value.dictionary(["name": .string(name), "hint": .string(port.hint.rawValue)])
    }
    let children = (graph?.content.children.all ?? []).map { child in
      Value.dictionary([
        "name": .string(child.name), "type": .string(child.patch.type ?? ""),
      ])
    }
    return [
      "type": .string(type ?? ""), "name": .string(name), "inputs": .list(inputs),
      "outputs": .list(outputs), "children": .list(children),
    ]
  }
}
