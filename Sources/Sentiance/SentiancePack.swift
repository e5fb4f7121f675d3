import ConformanceModel
import ReferenceKit

/// The reference programs of Sentiance: an SDK, and a backend such as a customer would write. The reference platform
/// needs no program, since `spec/sentiance/server.yaml` defines it.
package enum SentiancePack {
  package static let programs = ReferenceProgram(
    protocolName: "sentiance", adapterExecutable: "sentiance-adapter", binding: PackageResources.binding_yaml,
    switches: ["sdk": Switches<SentianceSwitch>.allIDs])
}
