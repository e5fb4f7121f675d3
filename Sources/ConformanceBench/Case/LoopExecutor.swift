import NIOCore

/// Runs the tasks of a case on the event loop of its mock servers.
///
/// What the case asks of its mocks is then no matter of two threads, of which one is woken by each question and the
/// other by each answer: with a virtual clock a case does little else.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
