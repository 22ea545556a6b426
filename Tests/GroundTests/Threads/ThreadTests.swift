import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

@Suite struct ThreadTests {
  @Test func `a worker thread is named and deaf to signals`() throws {
    let log = LineLog()
    let thread = try WorkerThread(named: "gkit-a-very-long-name") {
      let status = PolledFile("/proc/thread-self/status", in: RootedFileTree.live, limit: 1 << 16)
      let text = (try? status.read()).map { String(decoding: $0, as: UTF8.self) } ?? ""
      for line in text.split(separator: "\n") where line.hasPrefix("Name") { log.add(String(line)) }
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      log.add("\(sigismember(&mask, SIGINT)) \(sigismember(&mask, SIGCHLD))")
    }
    thread.join()
    #expect(log.lines == ["Name:\tgkit-a-very-lon", "1 1"])
  }

  @Test func `a worker that waits for more keeps its thread until it is to end`() {
    let worker = SerialWorker(named: "patient", waiting: 60_000_000_000)
    let log = LineLog()
    for _ in 0..<3 {
      let isDone = worker.run(within: 10_000_000_000) { log.add(kernelThread) }
      #expect(isDone)
    }
    worker.join()
    #expect(log.lines.count == 3 && Set(log.lines).count == 1)
    // A job after the end gets a thread that does not wait.
    #expect(worker.run(within: 10_000_000_000) { log.add(kernelThread) })
    worker.join()
    #expect(Set(log.lines).count == 2)
  }

  @Test func `threads have identities of their own`() throws {
    let log = LineLog()
    let mine = CurrentThread.identity
    let thread = try WorkerThread(named: "other") {
      log.add(CurrentThread.identity == mine ? "same" : "other")
    }
    thread.join()
    #expect(log.lines == ["other"])
    #expect(CurrentThread.identity == mine && mine != 0)
  }

  @Test func `T8: the child of a fork knows that it is one`() throws {
    // Swift hides fork(2), rightly; here the child does nothing but answer.
    let fork = try SharedLibrary("libc.so.6", package: "libc6")
      .function("fork", as: (@convention(c) () -> Int32).self)
    let guarded = ForkGuard()
    let child = fork()
    if child == 0 { _exit(guarded.isForked && !ForkGuard().isForked ? 42 : 1) }
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(status == 42 << 8)
    #expect(!guarded.isForked)
  }

  @Test func `T8: a loop of before a fork is dead and silent in the child`() throws {
    let fork = try SharedLibrary("libc.so.6", package: "libc6")
      .function("fork", as: (@convention(c) () -> Int32).self)
    let loop = try EventLoop()
    let wake = try WakeDescriptor()
    let watch = try loop.watch(descriptor: wake.number, events: 1) { _ in }
    let child = fork()
    if child == 0 {
      watch.cancel()
      loop.schedule(at: Moment(nanoseconds: 0)) {}.cancel()
      loop.submit {}
      loop.stop()
      _exit(loop.isCurrent ? 1 : 42)
    }
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(status == 42 << 8)
    loop.stop()
  }
}

/// The kernel's number of the calling thread; the kernel does not reuse one within a short time.
private var kernelThread: String {
  var room = [CChar](repeating: 0, count: 64)
  let count = readlink("/proc/thread-self", &room, room.count)
  return String(decoding: room.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
}
