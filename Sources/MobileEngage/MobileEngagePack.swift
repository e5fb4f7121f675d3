import ConformanceModel
import ReferenceKit

/// The code of the Mobile Engage pack: a reference SDK. The server is data (`spec/mobile-engage/server.yaml`).
package enum MobileEngagePack {
  package static let sdk = ReferenceProgram(
    protocolName: "mobile-engage", adapterExecutable: "mobile-engage-adapter",
    switches: ["sdk": Switches<EngageSwitch>.allIDs])
}
