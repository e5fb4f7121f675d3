import HTTPValues
import ReferenceKit

// Time limits and pauses.
extension SDKSeams {
  /// The pauses, in milliseconds, before the repetitions of a failed request. After the last repetition, the SDK gives
  /// up.
  private static let backOff = [1_000, 2_000, 4_000]

  /// The time limit for an answer, in milliseconds. A variant waits longer, but not for the answer to a resolve
  /// request.
  func patience(_ patience: Int) -> Int {
    has(.variantWaitsLong) && patience == SDKCore.Patience.report ? 30_000 : patience
  }

  /// The pause in milliseconds before the SDK sends the queue again on its own, after `failures` failed attempts; nil
  /// if the SDK does not send the queue again.
  func pause(beforeRetry failures: Int) -> Int? {
    if has(.variantBacksOff) { return Self.backOff.dropFirst(failures).first }
    return flushes(on: .timer) ? SDKCore.Patience.retry : nil
  }

  /// The pause in milliseconds before a call repeats its request, if the call has repeated it `times` times already;
  /// nil if the call does not repeat it again.
  func pause(beforeRepeat times: Int) -> Int? {
    has(.variantBacksOff) ? Self.backOff.dropFirst(times).first : nil
  }

  /// The longest pause before the SDK repeats a request, in milliseconds.
  var retryWindow: Int { has(.variantBacksOff) ? Self.backOff.max() ?? 0 : pause(beforeRetry: 0) ?? 0 }

  /// Whether a call is accepted before initialisation. For some calls the documents leave this open; a variant rejects
  /// these calls.
  func takesUninitialized(_ call: SDKCall) -> Bool {
    switch call {
    case .clearData where has(.variantEarlyRefused), .reset where has(.variantEarlyRefused): false
    default: call.worksUninitialized
    }
  }
}

extension SDKCore {
  /// The longest pause before an SDK with these switches repeats a request, in milliseconds.
  package static func retryWindow(_ switches: Switches<SDKSwitch>) -> Int { SDKSeams(switches: switches).retryWindow }
}

// Repetition of requests inside a call. Without the variant, no request is repeated.
extension SDKCore {
  mutating func rememberForVariants(_ request: OutgoingRequest, _ id: Int) {
    guard seams.pause(beforeRepeat: 0) != nil else { return }
    memory.repeats[id] = .init(request: request)
  }

  mutating func forgetForVariants(_ id: Int) {
    guard memory.repeats.removeValue(forKey: id) != nil else { return }
    emit(.stopTimer(.later(id)))
  }

  /// If the SDK repeats a failed request after a pause, sets the timer for the pause and returns true. Otherwise
  /// returns false. A request that timed out is not repeated, since the call would take too long.
  mutating func triesLater(_ id: Int, _ purpose: Purpose, _ result: Result<HTTPResponse, SDKError>) -> Bool {
    guard case .failure(let error) = result, error.isTransient, error.kind != .timeout, purpose.mayBeRepeated,
      let known = memory.repeats[id], let pause = seams.pause(beforeRepeat: known.times)
    else {
      memory.repeats[id] = nil
      return false
    }
    emit(.startTimer(.later(id), milliseconds: pause))
    return true
  }

  mutating func sendAgain(_ id: Int) {
    guard requests[id] != nil, let known = memory.repeats[id] else { return }
    memory.repeats[id]?.times += 1
    emit(.send(id, known.request))
    emit(.startTimer(.timeout(id), milliseconds: seams.patience(Patience.report)))
  }
}

/// A request that a variant repeats if it fails, with the number of repetitions so far.
struct RepeatedRequest: Hashable, Sendable {
  var request: OutgoingRequest
  var times = 0
}

extension SDKCore.Purpose {
  /// Whether the variant repeats a failed request with this purpose. Events are not repeated, because the queue sends
  /// them again; resolve requests are not repeated, because the app waits for the link.
  fileprivate var mayBeRepeated: Bool {
    switch self {
    case .install, .link: true
    case .event, .queued, .resolve, .nothing, .launchCheck: false
    }
  }
}
