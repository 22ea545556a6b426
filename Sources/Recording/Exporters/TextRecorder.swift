public import Gathering
public import Ground
public import Machine

extension Recorder {
  /// Makes a text file for other programs to read, or opens it to go on behind what it has.
  ///
  /// A line is written a second after its row at most, unless the options say otherwise; of those
  /// only what is done with a file that is there, the intervals and the memory count. Events and
  /// losses are lines only where the format has a place for them. Throws `invalidArgument` and
  /// `io`, as the other one.
  public convenience init(
    to path: String, as format: TextFormat, options: RecorderOptions = RecorderOptions(),
    in storage: any FileStorage = LiveStorage(), clock: any TimeSource = LiveTime()
  ) throws(SourceError) {
    try options.check()
    let queue = RecorderQueue(options)
    let writer = Monitor<TextWriter?>(
      try TextWriter(path, as: format, queue, options, in: storage, clock: clock))
    try self.init(path, queue, takesSeveral: format.takesSeveral) {
      var own = writer.taken()
      own?.run()
    }
  }
}
