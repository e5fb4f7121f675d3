import ArgumentParser
import ConformanceBench
import TextKit

/// The options for the address and the ports of the mock servers that an SDK calls.
struct MockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The port of the first mock server of each case, for a device that reaches the kit through a tunnel, such as \
      'adb reverse tcp:9200 tcp:9200'. Each further service has the next port. With this option, one case runs at a \
      time. Without it, the mock servers use free ports.
      """, valueName: "number"))
  var mockPort: Int?

  @Option(
    help: ArgumentHelp(
      """
      The address at which the mock servers listen, for a device in the network. The SDK gets this address in its URLs. \
      The default is 127.0.0.1.
      """, valueName: "address"))
  var mockHost: String?

  var place: MockPlace {
    var place = MockPlace()
    if let mockHost { place.address = mockHost }
    if let mockPort { place.firstPort = mockPort }
    return place
  }

  /// Throws if these options contradict the other options of the run.
  func validate(hasSDK: Bool, jobs: Int?) throws {
    guard mockPort != nil || mockHost != nil else { return }
    guard hasSDK else { throw BadInput("--mock-port and --mock-host are about an SDK under test: name it with --sdk") }
    if let mockPort, !(1...65000).contains(mockPort) {
      throw ValidationError("--mock-port expects a number from 1 to 65000, found \(mockPort)")
    }
    if mockPort != nil, let jobs, jobs > 1 {
      throw ValidationError("--mock-port gives all cases the same ports, so one case runs at a time: leave out --jobs")
    }
  }

  /// The options in the form of a command line.
  var words: [String] {
    var words = Words()
    words.add("--mock-port", mockPort.map { "\($0)" })
    words.add("--mock-host", mockHost)
    return words.list
  }
}
