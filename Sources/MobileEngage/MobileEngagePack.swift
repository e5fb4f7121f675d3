import ConformanceModel
import ReferenceKit

/// The reference SDK of Mobile Engage. The rules in `spec/mobile-engage/server.yaml` define the reference server.
package enum MobileEngagePack {
  package static let sdk = ReferenceProgram(
    protocolName: "mobile-engage", adapterExecutable: "mobile-engage-adapter",
    switches: ["sdk": Switches<EngageSwitch>.allIDs])
}
