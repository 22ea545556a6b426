import Gathering
import Values

/// The document of the interface, in OpenAPI 3.1, made of its routes (serve W22).
enum InterfaceDocument {
  static func route(of routes: [Route]) -> Route {
    let path = "/api/v1/openapi.json"
    let own = { (text: [UInt8]) in
      Route(.get, path, "this document", gives: "Any") { _ in .json(text) }
    }
    let bytes = JSONBody.bytes(document(of: routes + [own([])]))
    return own(bytes)
  }

  private static func document(of routes: [Route]) -> ValueDictionary {
    var paths = ValueDictionary()
    for route in routes {
      var methods = ValueDictionary()
      if case .dictionary(let known)? = paths[route.template] { methods = known }
      methods[route.method.rawValue.lowercased()] = .dictionary(operation(route))
      paths[route.template] = .dictionary(methods)
    }
    return [
      "openapi": .string("3.1.0"),
      "info": .dictionary([
        "title": .string("GatheredKit"), "version": .string(Version.text),
        "summary": .string("Everything a Linux device can tell about itself."),
      ]),
      "security": .list([.dictionary(["token": .list([])])]),
      "paths": .dictionary(paths),
      "components": .dictionary([
        "securitySchemes": .dictionary([
          "token": .dictionary(["type": .string("http"), "scheme": .string("bearer")])
        ]),
        "schemas": .dictionary(InterfaceSchemas.all),
      ]),
    ]
  }

  private static func operation(_ route: Route) -> ValueDictionary {
    let names = route.names.map { name in
      Value.dictionary([
        "name": .string(name), "in": .string("path"), "required": .bool(true),
        "schema": .dictionary(["type": .string("string"), "minLength": .int(1)]),
      ])
    }
    let queries = route.parameters.map { parameter in
      let own: ValueDictionary = ["type": .string(parameter.type)]
      let schema: ValueDictionary =
        parameter.isRepeated
        ? ["type": .string("array"), "items": .dictionary(own)] : own
      return Value.dictionary([
        "name": .string(parameter.name), "in": .string("query"),
        "required": .bool(parameter.isRequired), "description": .string(parameter.meaning),
        "schema": .dictionary(schema),
      ])
    }
    var facts: ValueDictionary = [
      "summary": .string(route.summary), "parameters": .list(names + queries),
      "responses": .dictionary(responses(of: route)),
    ]
    if let body = InterfaceSchemas.body(of: route) {
      facts["requestBody"] = .dictionary([
        "required": .bool(true), "content": .dictionary(["application/json": .dictionary(body)]),
      ])
    }
    return facts
  }

  private static func responses(of route: Route) -> ValueDictionary {
    var answer: ValueDictionary = ["description": .string(route.summary)]
    if let type = InterfaceSchemas.mediaType(of: route.schema) {
      answer["content"] = .dictionary([
        type: .dictionary(["schema": .dictionary(InterfaceSchemas.reference(to: route.schema))])
      ])
    }
    let error: ValueDictionary = [
      "description": .string("why there is no answer"),
      "content": .dictionary([
        "application/json": .dictionary([
          "schema": .dictionary(InterfaceSchemas.reference(to: "Error"))
        ])
      ]),
    ]
    let status =
      route.method == .delete
      ? "204" : route.schema == "Started" && route.names.isEmpty ? "201" : "200"
    var all: ValueDictionary = [status: .dictionary(answer)]
    if route.schema == "File" { all["206"] = .dictionary(answer) }
    all["4XX"] = .dictionary(error)
    all["5XX"] = .dictionary(error)
    return all
  }
}
