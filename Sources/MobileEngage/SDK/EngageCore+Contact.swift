import HTTPValues
import JSONKit

// The contact that the client is linked to. Source: P1b, P5 and P6 of the workflow.
extension EngageCore {
  /// The contact that the client will have after all waiting requests have succeeded; nil for an anonymous contact.
  private var contactToBe: ContactIdentity? {
    switch queue.last(where: \.isLink)?.purpose {
    case .link(let identity): identity
    case .linkAnonymous: nil
    default: client.contact
    }
  }

  mutating func signIn(_ identity: ContactIdentity, _ handle: String?) {
    guard identity.isUsable || switches.has(.takesNobody) else {
      return reject(handle, "a contact needs a field and a value")
    }
    if isSkipped(identity) { return tell(handle, .success(())) }
    change(with: .link(identity), isOther: identity != contactToBe, handle)
  }

  mutating func signOut(_ handle: String?) {
    let isAnonymous = contactToBe == nil && (client.contactToken != nil || queue.last(where: \.isLink) != nil)
    guard !isAnonymous, !switches.has(.neverSignsOut) else { return tell(handle, .success(())) }
    change(with: .linkAnonymous, isOther: true, handle)
  }

  /// Changes the contact. A session belongs to one contact. So the event for the end of the present session is sent
  /// before the link request, with the token of the old contact. The event for the start of a new session is sent after
  /// it.
  private mutating func change(with link: WaitingRequest.Purpose, isOther: Bool, _ handle: String?) {
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    let hadSession = session != nil && !switches.has(.sessionOutlivesContact)
    if isOther, hadSession, let end = endSession() { queue.add(.report(end)) }
    let number = queue.add(link)
    if switches.has(.overtakesAnonymousLink), let late = queue.last(where: { $0 == .linkAnonymous }),
      link != .linkAnonymous
    {
      cancelFlight()
      queue.remove(late.number)
      queue.add(.linkAnonymous)
    }
    if switches.has(.registersAfterLinks) { queue.add(.register) }
    if isOther, hadSession { queue.add(.report(beginSession())) }
    wait(for: [number], handle)
    storeQueue()
    deliver()
  }

  /// Handles the answer to a link request. An answer without a contact token counts as a failure. The SDK then keeps
  /// the tokens that it has.
  mutating func linked(_ flight: Flight, to identity: ContactIdentity?, _ response: HTTPResponse) {
    let body = try? JSON(parsing: response.body)
    guard let token = body?["contactToken"]?.string, !token.isEmpty else {
      return finish(flight, .failure(EngageFailure(.internal, "a link was answered without a contact token")))
    }
    let keeps = identity == nil && client.contact != nil && switches.has(.signsOutInWord)
    if !(keeps || client.contactToken != nil && switches.has(.keepsContactToken)) { client.contactToken = token }
    if !(keeps || client.refreshToken != nil && switches.has(.keepsRefreshToken)) {
      client.refreshToken = body?["refreshToken"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    client.contact = identity
    // The new contact has not agreed to push messages.
    if identity == nil { client.registeredPushToken = nil }
    finish(flight, .success(()))
  }

  mutating func forgetContact() {
    client.contactToken = nil
    client.refreshToken = nil
    client.contact = nil
    client.registeredPushToken = nil
  }
}
