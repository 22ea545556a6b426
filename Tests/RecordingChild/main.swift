import Gathering
import Recording

/// Records numbers in order until somebody ends it, and says in a file of its own how many of them
/// are on the device for certain.
func record(to path: String, noting progress: String) throws {
  var options = RecorderOptions()
  options.existing = .append
  options.blockInterval = 1_000_000
  options.blockRows = 64
  let recorder = try Recorder(to: path, options: options)
  let note = try Recorder(to: progress, options: options)
  var count: Int64 = 0
  while true {
    for _ in 0..<100 {
      count += 1
      let sample = Sample(.int(count), time: count * 1000, realtime: count * 1000 + 7)
      try recorder.append(sample, named: "numbers")
    }
    try recorder.flush()
    try note.append(Sample(.int(count)), named: "flushed")
    try note.flush()
  }
}

guard CommandLine.arguments.count == 3 else { fatalError("PATH PROGRESS") }
try record(to: CommandLine.arguments[1], noting: CommandLine.arguments[2])
