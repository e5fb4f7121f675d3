import ConformanceModel
import ReferenceKit

/// What Mobile Engage brings in code: a reference SDK. Its server is data (`spec/mobile-engage/server.yaml`).
package enum MobileEngagePack {
  package static let sdk = ReferenceProgram(
    protocolName: "mobile-engage", adapterExecutable: "mobile-engage-adapter",
    switches: ["sdk": Switches<EngageSwitch>.allIDs])
}
