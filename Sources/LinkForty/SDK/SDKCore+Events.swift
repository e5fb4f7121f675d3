import HTTPValues
import JSONKit

// Feature 5, events, and feature 6, revenue.
extension SDKCore {
  mutating func trackEvent(_ call: Int, _ name: String, _ properties: JSON.Object?) {
    guard seams.acceptsName(name) else { return fail(call, SDKError(.invalidEventData, "an event needs a name")) }
    if dropsForDefects(call) { return }
    let event = PendingEvent(
      name: name, data: properties ?? [:], timestamp: seams.timestamp(now), installId: install?.installId)
    report(eventForDefects(event), for: call)
  }

  /// Tracks revenue: an event whose data contains the amount and the currency, and the caller's properties. A property
  /// never replaces the amount or the currency.
  mutating func trackRevenue(_ call: Int, _ amount: String, _ currency: String, _ properties: JSON.Object?) {
    guard let amount = seams.amount(amount) else {
      return fail(call, SDKError(.invalidEventData, "the amount must be a decimal number, found '\(amount)'"))
    }
    guard !currency.isEmpty else { return fail(call, SDKError(.invalidEventData, "revenue needs a currency")) }
    trackEvent(call, "revenue", seams.revenue(amount, currency, properties ?? [:]))
  }

  /// Sends an event. Until the install was reported, events wait in the queue.
  private mutating func report(_ event: PendingEvent, for call: Int) {
    guard let installId = event.installId else {
      return seams.has(.eventHomelessLost) ? reply(call, .success(.null)) : keep(event, for: call, after: nil)
    }
    send(outbox?.event(event, of: installId), for: .event(event, call: call), patience: Patience.report)
  }

  /// Handles the result of the request that reports an event. A delivered event shows that the server can be reached,
  /// so the queue is flushed.
  mutating func eventReported(_ event: PendingEvent, _ call: Int, _ result: Result<HTTPResponse, SDKError>) {
    switch seams.eventResult(result) {
    case .success:
      reply(call, .success(.null))
      flushQueue(on: .nextEvent)
    case .failure(let error) where seams.isKept(event, after: error): keep(event, for: call, after: error)
    case .failure(let error): fail(call, error)
    }
  }

  /// Queues an undelivered event. The call fails if the server answered with an error, or if the queue is full.
  /// Otherwise the call succeeds, because the SDK sends the stored event later.
  private mutating func keep(_ event: PendingEvent, for call: Int, after error: SDKError?) {
    if seams.has(.eventOnlyLastKept) { queue.removeAll() }
    let isKept = queue.add(seams.queued(event))
    if isKept { storeQueue() }
    scheduleRetry()
    if let error, error.kind == .serverError || seams.has(.variantQueuedIsError) {
      fail(call, error)
    } else if isKept {
      reply(call, .success(.null))
    } else {
      fail(call, error ?? SDKError(.network, "the queue is full"))
    }
  }
}
