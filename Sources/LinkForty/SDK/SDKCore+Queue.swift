import HTTPValues

/// The state of a flush. A flush sends one event at a time, so that no event is sent twice.
struct FlushState: Hashable, Sendable {
  /// The calls of `flush` that wait for the end of the present flush.
  var calls: [Int] = []
  /// The number of the event that is being sent; nil while no flush runs.
  var underWay: Int?
  /// Whether the timer for the next automatic flush is set.
  var isRetryScheduled = false
  /// The number of consecutive flushes that ended with an undelivered event.
  var failedRetries = 0
}

/// The reason for a flush that the app did not request.
enum FlushOccasion: Hashable, Sendable {
  case launch, nextEvent, timer
}

// Feature 13, the offline queue.
extension SDKCore {
  /// Sends queued events for a call. The call is answered when the flush ends. The call succeeds even if the server
  /// cannot be reached; the events then stay in the queue, and the app can read its size.
  mutating func flushQueue(_ call: Int) {
    if flushesForDefects(call) { return }
    flush.calls.append(call)
    if flush.underWay == nil || seams.has(.flushUnguarded) { sendNextQueued() }
  }

  /// Sends queued events without a call of the app, on an occasion on which the server can probably be reached.
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

  /// Handles the result of the request that reports a queued event. An event leaves the queue when the server has
  /// received it or rejected it permanently. A temporary failure ends the flush, and its event stays at the head of the
  /// queue.
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

  /// Sets the timer for the next automatic flush if events wait and the install was reported. Otherwise stops the
  /// timer.
  mutating func scheduleRetry() {
    let mayRetry = !queue.isEmpty && install != nil && phase != .uninitialized
    let pause = mayRetry ? seams.pause(beforeRetry: flush.failedRetries) : nil
    guard (pause != nil) != flush.isRetryScheduled else { return }
    flush.isRetryScheduled = pause != nil
    emit(pause.map { .startTimer(.retry, milliseconds: $0) } ?? .stopTimer(.retry))
  }

  /// Stores the queue. It is stored after every change, since an app may be killed at any time.
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

  /// Handles the end of the app. Without a defect nothing is left to do, since all data is stored already.
  mutating func close() {
    closeForDefects()
    if seams.has(.queueStoredAtExit), phase != .uninitialized { emit(.store(.queue, queue.representation)) }
  }
}
