import ConformanceModel
import Testing

@testable import Processes

@Suite struct ProgramCommandTests {
  @Test(arguments: [
    ("python3 adapter.py", ["python3", "adapter.py"]),
    ("  python3\t adapter.py\n", ["python3", "adapter.py"]),
    ("python3 adapter.py --x 'a b'", ["python3", "adapter.py", "--x", "a b"]),
    (#"run "a \"b\" \\ \n" c"#, ["run", #"a "b" \ \n"#, "c"]),
    (#"run a\ b '\'"'"c"#, ["run", "a b", #"\'c"#]),
    ("run '' \"\"", ["run", "", ""]),
    ("run --name='x y' a=b", ["run", "--name=x y", "a=b"]),
    ("run '|&;<>()$`~'", ["run", "|&;<>()$`~"]),
    ("run a~b", ["run", "a~b"]),
    ("ÄÖ 'ü ß'", ["ÄÖ", "ü ß"]),
  ])
  func splits(text: String, words: [String]) throws {
    let command = try ProgramCommand(shellLike: text)
    #expect([command.executable] + command.arguments == words)
    #expect(command.environment.isEmpty)
  }

  @Test func leadingAssignmentsAreVariables() throws {
    let command = try ProgramCommand(shellLike: "MODE=a 'B=c' _X='1 2' Y= run Z=1")
    #expect(
      command
        == ProgramCommand(executable: "B=c", arguments: ["_X=1 2", "Y=", "run", "Z=1"], environment: ["MODE": "a"]))
    let all = try ProgramCommand(shellLike: "MODE=a _X='1 2' Y= run Z=1")
    #expect(
      all == ProgramCommand(executable: "run", arguments: ["Z=1"], environment: ["MODE": "a", "_X": "1 2", "Y": ""]))
  }

  @Test(arguments: [
    ("", "is empty"), ("  ", "names no program"), ("A=1", "names no program"),
    ("run 'abc", "character 5: the quote ' is never closed"), ("run \"a", "character 5: the quote \" is never closed"),
    ("run \\", "character 5: a backslash ends the command"), ("a | b", "character 3: '|'"), ("a && b", "'&'"),
    ("a > b", "'>'"), ("a $HOME", "'$'"), ("a;b", "';'"), ("~/run", "'~' is not a home folder"), ("a `b`", "'`'"),
    ("a\0b", "NUL"), ("a '\0'", "NUL"),
  ])
  func refuses(text: String, reason: String) {
    let failure = #expect(throws: ProgramFailure.self) { try ProgramCommand(shellLike: text) }
    #expect(failure?.kind == .command)
    #expect(failure?.text.contains(reason) == true, "\(failure?.text ?? "")")
  }

  /// A command that is printed for a rerun reads back as the same command, whatever its words contain.
  @Test func printedCommandReadsBack() throws {
    var random = SeededRandom(seed: 7)
    let alphabet = Array("ab =~'\"\\$|&; \n\tü/.-_A1")
    for _ in 0..<500 {
      func word(_ length: ClosedRange<Int>) -> String {
        String((0..<Int.random(in: length, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" })
      }
      let command = ProgramCommand(
        executable: word(1...6), arguments: (0..<Int.random(in: 0...3, using: &random)).map { _ in word(0...6) },
        environment: Bool.random(using: &random) ? ["NAME": word(0...6)] : [:])
      #expect(try ProgramCommand(shellLike: command.description) == command)
    }
  }
}
