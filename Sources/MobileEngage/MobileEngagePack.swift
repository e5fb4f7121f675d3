import ConformanceModel
import ReferenceKit

/// The reference SDK of Mobile Engage. The reference server is a server as data (`spec/mobile-engage/server.yaml`).
package enum MobileEngagePack {
  package static let sdk = ReferenceProgram(
    protocolName: "mobile-engage", adapterExecutable: "mobile-engage-adapter",
    switches: ["sdk": Switches<EngageSwitch>.allIDs])
}
