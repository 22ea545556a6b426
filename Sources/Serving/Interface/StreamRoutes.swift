/// The event stream.
enum StreamRoutes {
  static func all(_ served: ServedContext) -> [Route] {
    [
      Route(
        .get, "/api/v1/stream", "events, as they come", StreamPlan.parameters, gives: "Events",
        manner: .patient
      ) { call in
        let stream = EventStream(try StreamPlan(call, served), served)
        if call.request.method == "HEAD" { return HTTPAnswer(200, "text/event-stream", .bytes([])) }
        try served.streams.enter(stream)
        return HTTPAnswer(200, "text/event-stream", .events(stream))
      }
    ]
  }
}
