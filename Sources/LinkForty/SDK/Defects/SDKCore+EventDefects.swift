import HTTPValues
import LinkFortyModel

// Changes of events and links in the state machine by defects.
extension SDKCore {
  /// If a defect ignores an event, answers the app's call as if the event were sent, and returns true. Otherwise
  /// returns false.
  mutating func dropsForDefects(_ call: Int) -> Bool {
    let isBusy = requests.values.contains { if case .event = $0 { true } else { false } }
    guard losesEventForDefects || seams.has(.eventOverlapDropped) && isBusy else { return false }
    reply(call, .success(.null))
    return true
  }

  /// Returns the event that is sent or queued. Some defects give it a different install id.
  mutating func eventForDefects(_ event: PendingEvent) -> PendingEvent {
    var event = event
    memory.firstInstallID = memory.firstInstallID ?? event.installId
    if seams.has(.eventIDRemembered) { event.installId = memory.firstInstallID }
    if seams.has(.eventIDPerLaunch), isFirstLaunch == false { event.installId = "7a1d9e04-62bf-4c38-9d15-e80c3b5f2a76" }
    return event
  }

  /// If a variant repeats a failed request to create a link, sends the request again and returns true. Otherwise returns
  /// false. The SDK repeats the request only once, which is legal.
  mutating func retriesLinkForDefects(
    _ options: CreateLinkOptions, _ call: Int, _ result: Result<HTTPResponse, SDKError>
  ) -> Bool {
    guard seams.has(.variantLinkRetried), case .failure(let error) = result, error.isTransient,
      memory.retriedLinks.insert(call).inserted
    else { return false }
    send(outbox?.createLink(options), for: .link(options, call: call), patience: Patience.report)
    return true
  }
}
