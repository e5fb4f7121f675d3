import NIOCore

/// Runs the tasks of a case on the event loop of its mock servers.
///
/// With a virtual clock, a case mainly alternates between its steps and its mocks. If both run on one loop, no thread
/// must be woken for each request and each answer.
package final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  package init(_ loop: any EventLoop) { self.loop = loop }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
