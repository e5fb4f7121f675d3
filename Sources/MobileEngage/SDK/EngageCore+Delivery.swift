import HTTPValues
import JSONKit
import ReferenceKit
import Templates

// Delivery: requests are sent one at a time. After a temporary failure, a request stays at its place in the queue.
extension EngageCore {
  /// The largest number of renewals of the contact token for one request.
  private static let renewals = 3
  private static let withoutAddress = EngageFailure(.rejected, "the app has no address of this service")

  /// Sends waiting requests. Called after a request was added, when the app or the network comes back, and after a
  /// pause.
  mutating func deliver() {
    rests = false
    emit(.stopTimer(.retry))
    sendNext()
  }

  private mutating func sendNext() {
    guard flight == nil, !rests, isOnline, isConfigured else { return }
    while let next = nextToSend {
      if next.purpose == .linkAnonymous, !linksAnonymously {
        signOutAlone(next)
      } else if send(next, renewals: 0) {
        return
      } else {
        end(next.number, .failure(Self.withoutAddress))
      }
    }
  }

  /// Signs out without a request, if the app does not use anonymous contacts: the SDK only forgets the contact.
  private mutating func signOutAlone(_ signOut: WaitingRequest) {
    forgetContact()
    end(signOut.number, .success(()))
  }

  private var nextToSend: WaitingRequest? {
    let isLinked = client.contactToken != nil
    func isSendable(_ one: WaitingRequest) -> Bool { isLinked || !one.purpose.needsContact }
    return switches.has(.newestFirst) ? queue.waiting.last(where: isSendable) : queue.waiting.first(where: isSendable)
  }

  /// Sends a request; returns false if the app has no address of the request's service.
  private mutating func send(_ waiting: WaitingRequest, renewals: Int) -> Bool {
    client.lastOrder = nextOrder
    // A push token counts as removed as soon as the removal is sent, whatever the answer is.
    if waiting.purpose == .clearPushToken, !switches.has(.clearedCountsAsPushed) { client.registeredPushToken = nil }
    guard let request = writer?.request(for: waiting.purpose) else { return false }
    let properties = waiting.purpose == .register ? JSON.object(device.body) : nil
    start(Flight(id: nextRequest(), waiting: waiting, properties: properties, renewals: renewals), request)
    return true
  }

  private mutating func start(_ flight: Flight, _ request: OutgoingRequest) {
    self.flight = flight
    emit(.send(flight.id, varied(request)))
    if !switches.has(.waitsForEver) { emit(.startTimer(.timeout, milliseconds: Patience.answer)) }
  }

  private var writer: RequestWriter? {
    guard let setup else { return nil }
    return RequestWriter(
      applicationCode: setup.applicationCode ?? "", services: setup.services, device: device, client: client,
      events: events, isPaused: isPaused,
      stamp: switches.has(.stampsAtSending) ? Timestamp(milliseconds: now).text : nil,
      registersWithToken: switches.has(.variantTokenWithRegistration))
  }

  /// Stops waiting for the answer of the open request, because its time limit has passed.
  mutating func giveUp() {
    guard let flight else { return }
    emit(.cancel(flight.id))
    rest()
  }

  /// Cancels the open request on the wire. The request stays in the queue.
  mutating func cancelFlight() {
    guard let flight else { return }
    emit(.cancel(flight.id))
    emit(.stopTimer(.timeout))
    self.flight = nil
  }

  /// Keeps the failed request in the queue until there is a reason to repeat it.
  private mutating func rest() {
    flight = nil
    rests = true
    if let pause = Self.pause(with: switches) { emit(.startTimer(.retry, milliseconds: pause)) }
  }

  mutating func answered(_ id: Int, _ result: Result<HTTPResponse, TransportFailure>) {
    guard let flight, flight.id == id else { return }
    emit(.stopTimer(.timeout))
    guard case .success(let response) = result else {
      return switches.has(.lostIsFinal) ? failed(flight, EngageFailure(.network, "no answer")) : rest()
    }
    let failure = EngageFailure(.http, "HTTP \(response.status)", status: response.status)
    switch response.status {
    case 200...299:
      takeState(of: response, flight)
      if flight.isRenewal { renewed(flight, response) } else { succeeded(flight, response) }
    case _ where countsAsRegistered(flight.waiting.purpose): succeeded(flight, response)
    case 401 where mayBeRenewed(flight): renew(flight)
    case 300...399, 408, 429, 500...:
      if isFinal(flight) { failed(flight, failure) } else { rest() }
    case 400... where switches.has(.refusalsAreRepeated): rest()
    default: failed(flight, failure)
    }
  }

  /// Whether a defect gives up the request after a temporary failure.
  private func isFinal(_ flight: Flight) -> Bool {
    switches.has(.failuresAreFinal) || (flight.isRenewal && switches.has(.failedRefreshIsFinal))
  }

  /// Takes the client state from an answer, byte for byte. If the answer has no state or an empty state, the SDK keeps
  /// its present state.
  private mutating func takeState(of response: HTTPResponse, _ flight: Flight) {
    if let state = state(in: response, to: flight) {
      client.clientState = state
    } else if switches.has(.absentStateClears), response.headers["X-Client-State"] == nil {
      client.clientState = nil
    }
  }

  private mutating func succeeded(_ flight: Flight, _ response: HTTPResponse) {
    let purpose = flight.waiting.purpose
    switch purpose {
    case .register: client.registered = flight.properties
    case .linkAnonymous: return linked(flight, to: nil, response)
    case .link(let identity): return linked(flight, to: identity, response)
    case .registerPushToken(let token): client.registeredPushToken = token
    case .report: takeEventState(of: response)
    case .clearPushToken, .fetchInbox, .fetchGeofences, .reportDeepLink: break
    }
    finish(flight, .success(()))
  }

  mutating func finish(_ flight: Flight, _ result: Result<Void, EngageFailure>) {
    self.flight = nil
    end(flight.waiting.number, result)
    sendNext()
  }

  private mutating func failed(_ flight: Flight, _ failure: EngageFailure) {
    // A failed sign-out removes the contact, too: the next start links to an anonymous contact.
    if flight.waiting.purpose == .linkAnonymous, client.contact != nil { forgetContact() }
    if case .link = flight.waiting.purpose, switches.has(.refusedSignInForgets) { forgetContact() }
    if switches.has(.launchNeedsInit), !flight.waiting.purpose.needsContact { queue.removeReports() }
    if switches.has(.refusalEmptiesQueue) { queue.removeAll() }
    finish(flight, .failure(failure))
  }
}

// The contact token expires. The SDK then renews it with the refresh token. Source: the guidelines, on 401.
extension EngageCore {
  private func mayBeRenewed(_ flight: Flight) -> Bool {
    let purpose = flight.waiting.purpose
    guard purpose.isOfContact, !switches.has(.neverRefreshes), !flight.isRenewal || switches.has(.refreshesRefreshes),
      client.refreshToken != nil || switches.has(.refreshesWithNothing)
    else { return false }
    if switches.has(.refreshesEventsAlone), !purpose.isReport { return false }
    let isEager = switches.has(.refreshesOverAndOver) || (flight.isRenewal && switches.has(.refreshesRefreshes))
    return flight.renewals < (isEager ? 100 : Self.renewals)
  }

  private mutating func renew(_ flight: Flight) {
    client.lastOrder = nextOrder
    guard let request = writer?.refresh(client.refreshToken ?? "") else { return failed(flight, Self.withoutAddress) }
    var renewal = flight
    renewal.id = nextRequest()
    if flight.isRenewal { renewal.renewals += 1 }
    renewal.isRenewal = true
    start(renewal, request)
  }

  private mutating func renewed(_ flight: Flight, _ response: HTTPResponse) {
    let body = try? JSON(parsing: response.body)
    guard let token = body?["contactToken"]?.string, !token.isEmpty else {
      return failed(flight, EngageFailure(.internal, "a renewal was answered without a contact token"))
    }
    let isNew = !switches.has(.repeatsWithOldToken)
    if isNew { client.contactToken = token }
    if let refresh = body?["refreshToken"]?.string, !refresh.isEmpty, !switches.has(.ignoresRotation) {
      client.refreshToken = refresh
    }
    if switches.has(.dropsAfterRefresh) { return finish(flight, .success(())) }
    if !send(flight.waiting, renewals: flight.renewals + 1) { failed(flight, Self.withoutAddress) }
    if !isNew { client.contactToken = token }
  }
}
