import HTTPValues
import JSONKit
import Testing

@testable import LinkForty

/// The requests that the SDK makes for an app's events and revenue.
@Suite struct EventContentTests {
  private func body(_ call: SDKCall, _ switches: Set<SDKSwitch> = []) throws -> JSON {
    let stage = Stage(switches)
    stage.initialize()
    stage.call(call)
    let sent = try #require(stage.requests.last)
    return try #require(Octets(sent.request.body).json)
  }

  @Test(arguments: ["x", "Level Up", "購入", "cafe\u{301}", String(repeating: "x", count: 255)])
  func theNameArrivesAsItWasGiven(_ name: String) throws {
    #expect(try body(.trackEvent(name: name, properties: nil))["eventName"] == .string(name))
  }

  @Test(arguments: ["", " ", "\t\n", "\u{3000}"])
  func aNameWithoutALetterIsRefused(_ name: String) {
    let stage = Stage()
    stage.initialize()
    let sent = stage.requests.count
    #expect(stage.track(name)?.kind == .invalidEventData)
    #expect(stage.requests.count == sent)
  }

  @Test func propertiesKeepTheirTypes() throws {
    let given: JSON.Object = [
      "yes": true, "one": 1, "big": 9_007_199_254_740_992, "none": .null, "list": [[], [:], ""],
    ]
    #expect(try body(.trackEvent(name: "e", properties: given))["eventData"] == .object(given))
    #expect(try body(.trackEvent(name: "e", properties: nil))["eventData"] == [:])
  }

  @Test(arguments: ["0", "-0.01", "9.99", "0.30000000000000004", "98765432109876.54321", "1e3"])
  func anAmountKeepsItsDigits(_ amount: String) throws {
    let data = try body(.trackRevenue(amount: amount, currency: "usd", properties: ["sku": "a", "amount": 1]))[
      "eventData"]
    #expect(data?["amount"]?.number?.lexeme == amount)
    #expect(data?["currency"] == "usd" && data?["sku"] == "a")
  }

  @Test(arguments: [("NaN", "EUR"), ("Infinity", "EUR"), ("1,5", "EUR"), ("", "EUR"), ("1", "")])
  func revenueThatIsNoneIsRefused(_ amount: String, _ currency: String) {
    let stage = Stage()
    stage.initialize()
    let sent = stage.requests.count
    #expect(
      stage.call(.trackRevenue(amount: amount, currency: currency, properties: nil))?.kind == .invalidEventData)
    #expect(stage.requests.count == sent)
  }
}
