import JSONKit
import ReferenceKit

// The start of an app. Source: P1, and the scenarios A, B and C of the workflow.
extension EngageCore {
  mutating func setUp(_ wanted: EngageCall.Setup, _ handle: String?) {
    guard setup == nil else { return tell(handle, .success(())) }
    setup = wanted
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    let bases = [wanted.services.client, wanted.services.events]
    guard bases.allSatisfy({ ServiceAddress($0) != nil }) else {
      setup = nil
      return reject(handle, "the base URL of a service is not an HTTP URL")
    }
    if client.clientID == nil { client.clientID = random.uuid() }
    introduce(handle)
    queue.add(.report(event(.internal, "app:start")))
    if isForeground { queue.add(.report(beginSession())) }
    storeQueue()
    deliver()
  }

  /// Registers changed properties, and links a client without a contact to an anonymous contact.
  private mutating func introduce(_ handle: String?) {
    let first = switches.has(.linksFirst) ? linkIfNobody() : registerIfNew()
    let second = switches.has(.linksFirst) ? registerIfNew() : linkIfNobody()
    wait(for: [first, second].compactMap { $0 }, handle)
  }

  /// Whether the app uses anonymous contacts.
  var linksAnonymously: Bool { setup?.acceptsAnonymous == true || switches.has(.linksAnyway) }

  private mutating func linkIfNobody() -> Int? {
    guard linksAnonymously, queue.last(where: \.isLink) == nil,
      client.contactToken == nil || switches.has(.linksAtEachStart)
    else { return nil }
    return queue.add(.linkAnonymous)
  }

  /// Registers the properties, unless the server has accepted the same properties and their client state is known.
  /// Returns the number of the request.
  private mutating func registerIfNew() -> Int? {
    guard !isRegistered, queue.last(where: { $0 == .register }) == nil else { return nil }
    return queue.add(.register)
  }

  /// Changes the application code. No data of the old application is sent to the new application.
  mutating func change(to code: String, _ handle: String?) {
    guard setup != nil, !code.isEmpty else { return reject(handle, "an application code must not be empty") }
    guard code != setup?.applicationCode else { return tell(handle, .success(())) }
    cancelFlight()
    let pushToken = pushTokenToBe
    for request in queue.waiting {
      end(request.number, .failure(EngageFailure(.rejected, "the application code was changed")))
    }
    if !switches.has(.keepsToTheOldCode) { setup?.applicationCode = code }
    forgetContact()
    if !switches.has(.stateGoesAlong) { client.clientState = nil }
    client.registered = nil
    client.deviceEventState = nil
    introduce(handle)
    if let pushToken { queue.add(.registerPushToken(pushToken)) }
    storeQueue()
    deliver()
  }

  /// Updates the surroundings. When the app enters the foreground, the SDK compares its properties with the registered
  /// properties.
  mutating func surround(_ facts: JSON.Object) {
    try? device.take(JSONField(.object(facts)))
    if let offset = facts["wallClockOffset"]?.int { clockOffset = offset }
    if case .bool(let isOnline)? = facts["online"] {
      self.isOnline = isOnline
      if isOnline { deliver() }
    }
    if case .bool(let isForeground)? = facts["foreground"], isForeground != self.isForeground {
      self.isForeground = isForeground
      if isConfigured { isForeground ? enterForeground() : enterBackground() }
    }
    if let token = facts["pushToken"]?.string, !token.isEmpty { setPushToken(token, nil) }
  }

  private mutating func enterForeground() {
    if !switches.has(.registersAtStartsAlone) { _ = registerIfNew() }
    if switches.has(.appStartAgain) { submit([.report(event(.internal, "app:start"))], nil) }
    submit([.report(beginSession())], nil)
  }

  private mutating func enterBackground() {
    if let end = endSession(), !switches.has(.neverEndsSession) { submit([.report(end)], nil) }
  }

  mutating func drop(_ keys: [String]) {
    for key in keys {
      switch key {
      case "clientState": client.clientState = nil
      case "contactToken": client.contactToken = nil
      case "refreshToken": client.refreshToken = nil
      case "pushToken": client.registeredPushToken = nil
      default: break
      }
    }
  }

  /// Stores data as an older version of the SDK did: an id of the device, and possibly a contact.
  mutating func seedLegacy(_ identity: ContactIdentity?) {
    let id = random.uuid()
    emit(.store(.legacy, .object(compact: [("hardwareId", .string(id)), ("contact", identity?.representation)])))
    if client.clientID == nil { client.clientID = id }
  }
}
