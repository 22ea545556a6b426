import Gathering
import Patches
import Values

extension Tool {
  static let graphCheck = Tool(
    "graph_check", title: "Check the document of a graph",
    """
    Lists all that is wrong with the document of a graph: the JSON pointer of the place, the code \
    of the problem, a sentence, and the nearest known name. Builds nothing and opens no device.
    """,
    [
      ToolParameter(
        "document", .document, "the document, as a JSON object or as its text", isRequired: true)
    ]
  ) { call in
    try call.withContext { context in
      let document = call.arguments["document"].flatMap(ToolParameter.document) ?? []
      let problems = Graph.problems(in: document, context.patchCatalogue)
      var answer = ToolAnswer(
        ["is_sound": .bool(problems.isEmpty)], ifTooLong: "mend these problems first")
      answer.add(WithheldValues(call.grant.allowance))
      answer.add(problems.map { .dictionary($0.dictionary) }, as: "problems")
      return answer
    }
  }
}
