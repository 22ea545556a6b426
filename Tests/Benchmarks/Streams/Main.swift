/// Streams and patches of Swift beside their peers; with an argument, their instructions are
/// counted instead of their time, by the callgrind this runs under.
@main
enum Main {
  static func main() throws {
    var trials = [1, 10, 1000].map(sending) + [1, 5, 20].map(chain)
    trials += [setting, combining, try patching()]
    trials += [appending, filtering, sorting, merging]
    if CommandLine.arguments.count > 1 {
      for trial in trials { trial.count() }
    } else {
      for trial in trials { trial.time() }
      try load()
    }
  }
}
