import ConformanceModel
import JSONKit

// The start of an app. Source: P1, and the scenarios A, B and C of the workflow.
extension EngageCore {
  mutating func setUp(_ wanted: EngageCall.Setup, _ handle: String?) {
    guard setup == nil else { return tell(handle, .success(())) }
    setup = wanted
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    let bases = [wanted.services.client, wanted.services.events]
    guard bases.allSatisfy({ ServiceAddress($0) != nil }) else {
      setup = nil
      return reject(handle, "the base URL of a service is no URL of HTTP")
    }
    if client.clientID == nil { client.clientID = random.uuid() }
    introduce(handle)
    queue.add(.report(event(.internal, "app:start")))
    if isForeground { queue.add(.report(beginSession())) }
    storeQueue()
    deliver()
  }

  /// Registers what has changed and links who has no contact.
  private mutating func introduce(_ handle: String?) {
    var numbers: [Int] = []
    if let number = registerIfNew() { numbers.append(number) }
    if setup?.acceptsAnonymous == true, client.contactToken == nil, queue.last(where: \.isLink) == nil {
      numbers.append(queue.add(.linkAnonymous))
    }
    wait(for: numbers, handle)
  }

  /// Properties that were accepted are not sent again, unless the state that stands for them is gone.
  private mutating func registerIfNew() -> Int? {
    let isKnown = client.registered.map { $0.isEquivalent(to: .object(device.body)) } ?? false
    guard !isKnown || client.clientState == nil, queue.last(where: { $0 == .register }) == nil else { return nil }
    return queue.add(.register)
  }

  /// Another application: nothing that belongs to the old one is sent or shown to the new one.
  mutating func change(to code: String, _ handle: String?) {
    guard setup != nil, !code.isEmpty else { return reject(handle, "an application code is no empty text") }
    guard code != setup?.applicationCode else { return tell(handle, .success(())) }
    cancelFlight()
    let pushToken = pushTokenToBe
    for request in queue.waiting {
      end(request.number, .failure(EngageFailure(.rejected, "the application code was changed")))
    }
    setup?.applicationCode = code
    forgetContact()
    client.clientState = nil
    client.registered = nil
    introduce(handle)
    if let pushToken { queue.add(.registerPushToken(pushToken)) }
    storeQueue()
    deliver()
  }

  /// What surrounds the app has changed; properties are looked at when it comes to the foreground.
  mutating func surround(_ facts: JSON.Object) {
    try? device.take(JSONField(.object(facts)))
    if let offset = facts["wallClockOffset"]?.int { clockOffset = offset }
    if case .bool(let isOnline)? = facts["online"] {
      self.isOnline = isOnline
      if isOnline { deliver() }
    }
    if case .bool(let isForeground)? = facts["foreground"], isForeground != self.isForeground {
      self.isForeground = isForeground
      if setup != nil, isConfigured { isForeground ? enterForeground() : enterBackground() }
    }
    if let token = facts["pushToken"]?.string, !token.isEmpty { setPushToken(token, nil) }
  }

  private mutating func enterForeground() {
    _ = registerIfNew()
    submit([.report(beginSession())], nil)
  }

  private mutating func enterBackground() {
    if let end = endSession() { submit([.report(end)], nil) }
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

  /// An older version knew the device by an id, and maybe a contact.
  mutating func seedLegacy(_ identity: ContactIdentity?) {
    let id = random.uuid()
    emit(.store(.legacy, .object(compact: [("hardwareId", .string(id)), ("contact", identity?.representation)])))
    if client.clientID == nil { client.clientID = id }
  }
}
