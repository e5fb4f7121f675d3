import ConformanceModel

/// The state of sending what is queued: one event at a time, so that none is sent twice.
struct FlushState: Hashable, Sendable {
  /// The calls of `flush` that wait for the end; they share one run.
  var calls: [Int] = []
  /// The number of the event that is on its way; nil when nothing is being flushed.
  var underWay: Int?
  /// Whether the timer of the next automatic attempt is set.
  var isRetryScheduled = false
  /// How many flushes in a row have ended with an event that could not be delivered.
  var failedRetries = 0
}

/// What sets off a flush that the app did not ask for.
enum FlushOccasion: Hashable, Sendable {
  case launch, nextEvent, timer
}

// Feature 13, the offline queue.
extension SDKCore {
  /// Sends what is queued, for a call that waits for the end. It ends well even when the server could not be reached:
  /// the events are still there, as the size of the queue tells.
  mutating func flushQueue(_ call: Int) {
    if flushesForDefects(call) { return }
    flush.calls.append(call)
    if flush.underWay == nil || seams.has(.flushUnguarded) { sendNextQueued() }
  }

  /// Sends what is queued because this is a good moment.
  mutating func flushQueue(on occasion: FlushOccasion) {
    guard flush.underWay == nil, seams.flushes(on: occasion) else { return }
    sendNextQueued()
  }

  private mutating func sendNextQueued() {
    guard let event = seams.next(of: queue, without: memory.delivered),
      let installId = event.installId ?? install?.installId
    else {
      return endFlush()
    }
    flush.underWay = event.number
    send(
      outbox?.event(seams.reported(event, now), of: installId), for: .queued(event.number), patience: Patience.report)
  }

  /// What the server has leaves the queue, and so does what it will never take; the first event that cannot be
  /// delivered now ends the flush and stays at the head.
  mutating func queuedReported(_ number: Int, _ result: Result<HTTPResponse, SDKError>) {
    switch seams.eventResult(result) {
    case .success where seams.has(.flushDuplicates): memory.delivered.insert(number)
    case .failure(let error) where error.isTransient || seams.has(.flushPoisonBlocks):
      flush.failedRetries += 1
      if seams.has(.flushDropsFailed) { drop(number) }
      if seams.has(.flushEmptiesOffline), !flush.calls.isEmpty { queue.removeAll() }
      memory.delivered = []
      return endFlush()
    default:
      flush.failedRetries = 0
      drop(number)
    }
    if seams.has(.flushOne) { return endFlush() }
    sendNextQueued()
  }

  private mutating func drop(_ number: Int) {
    queue.remove(number)
    storeQueue()
  }

  private mutating func endFlush() {
    flush.underWay = nil
    for number in memory.delivered { drop(number) }
    memory.delivered = []
    scheduleRetry()
    let calls = flush.calls
    flush.calls = []
    for call in calls { reply(call, .success(.null)) }
  }

  /// While events wait and there is an install they belong to, they are tried again by and by.
  mutating func scheduleRetry() {
    let mayRetry = !queue.isEmpty && install != nil && phase != .uninitialized
    let pause = mayRetry ? seams.pause(beforeRetry: flush.failedRetries) : nil
    guard (pause != nil) != flush.isRetryScheduled else { return }
    flush.isRetryScheduled = pause != nil
    emit(pause.map { .startTimer(.retry, milliseconds: $0) } ?? .stopTimer(.retry))
  }

  /// The stored queue follows every change at once, since an app may be killed at any time.
  mutating func storeQueue() {
    if seams.storesQueue { emit(queue.isEmpty ? .remove(.queue) : .store(.queue, queue.representation)) }
  }

  mutating func clearQueue(_ call: Int) {
    if seams.has(.clearQueueSends) {
      for event in queue.events {
        send(outbox?.event(event, of: ""), for: .nothing, patience: Patience.report)
      }
    }
    queue.removeAll()
    if !seams.has(.clearQueueMemoryOnly) { storeQueue() }
    scheduleRetry()
    reply(call, .success(.null))
  }

  /// The app ends. Nothing is left to be stored.
  mutating func close() {
    closeForDefects()
    if seams.has(.queueStoredAtExit), phase != .uninitialized { emit(.store(.queue, queue.representation)) }
  }
}
