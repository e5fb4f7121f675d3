import Testing

@testable import ReferenceKit

/// The arguments of a reference SDK's adapter.
@Suite struct ReferenceOptionsTests {
  private enum Lamp: String, SwitchList {
    case flickers, dims
    case warm = "warm-light"

    var isVariant: Bool { self == .warm }
  }

  @Test(arguments: [
    ["--defect", "flickers", "--variant=warm-light"], ["--defect=flickers", "--variant", "warm-light"],
  ])
  func switchesAreTakenInBothForms(_ arguments: [String]) throws {
    let options = try ReferenceOptions<Lamp>(arguments)
    #expect(Lamp.allCases.filter(options.switches.has) == [.flickers, .warm])
  }

  /// Arguments, and the beginning of what is said about them.
  @Test(arguments: [
    (["--loud"], "unknown option '--loud'; known are --defect ID, --variant ID"),
    (["--defect"], "--defect needs a value"),
    (["--defect", "flicker"], "unknown defect 'flicker'; did you mean flickers?\nknown are:\n  dims\n  flickers"),
    (["--defect", "warm-light"], "unknown defect 'warm-light'"),
    (["--variant", "dims"], "unknown variant 'dims'"),
  ])
  func whatMakesNoSenseIsSaid(_ arguments: [String], sentence: String) {
    let problem = #expect(throws: ReferenceOptions<Lamp>.Problem.self) { _ = try ReferenceOptions<Lamp>(arguments) }
    #expect(problem?.text.hasPrefix(sentence) == true, "\(problem?.text ?? "")")
  }
}
