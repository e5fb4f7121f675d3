import AdapterProtocol
import ConformanceTranscript
import JSONKit
import Processes

/// The messages between the kit and an adapter. This type has no I/O: its caller passes in the bytes of the process,
/// and gets events in their order.
///
/// The conversation knows which commands have no reply yet (open commands), splits stdout into messages, and notices
/// each breach of the protocol. The kit gives up on the adapter in three cases:
/// - after a breach before the first reply, since the program is then probably not an adapter
/// - after a line that is too long, since a message may be lost with the line
/// - after too many breaches or too much output
struct AdapterConversation {
  typealias Instant = SuspendingClock.Instant

  /// An action that the caller of this type must perform.
  enum Output: Hashable {
    case event(AdapterEvent)
    case settled(id: Int, Result<CommandOutcome, ProgramFailure>)
    /// The process must be killed.
    case stop(AdapterEnding.Cause)
  }

  private struct Command {
    var method: String
    /// The longest time that the reply may take, and the instant at which that time is over; nil without a limit.
    var due: (limit: Duration, at: Instant)?
    /// Whether the kit asked the app to end before the command was answered.
    var isEnded = false
  }

  private let limits: AdapterLimits
  private let checks: MessageChecks
  /// How the messages reach the kit. For ``MessageSource/carrier``, the process is not the adapter, but a relay of the
  /// kit that connects to the carrier.
  private let source: MessageSource
  private var open: [Int: Command] = [:]
  private var lastID = 0
  /// The id of the last `launch`.
  private var launchID = 0
  private var splitter: LineSplitter
  private(set) var errorOutput: ErrorOutput
  private var hasReplied = false
  /// Whether the adapter has answered `shutdown`. If the process exits after that answer, the exit does not count as a
  /// crash of the app.
  private(set) var hasAnsweredShutdown = false
  /// The reason why the adapter takes no more commands.
  private(set) var refusal: ProgramFailure?
  private var breaches = 0
  private var outputBytes = 0

  init(limits: AdapterLimits, checks: MessageChecks, source: MessageSource = .output) {
    self.limits = limits
    self.checks = checks
    self.source = source
    splitter = LineSplitter(limit: limits.lineBytes)
    errorOutput = ErrorOutput(limit: limits.errorBytes)
  }

  /// The earliest instant at which the limit of an open command is over; nil if no open command has a limit.
  var deadline: Instant? { open.values.reduce(nil) { $0.earlier($1.due?.at) } }

  /// Registers a command before it is sent. Returns the id and the line of the command.
  mutating func command(_ request: AdapterRequest, limit: ReplyLimit, at now: Instant) -> (id: Int, line: [UInt8]) {
    lastID += 1
    let base = BaseCommand(rawValue: request.method)
    if base == .quit || base == .shutdown { endApp() }
    if base == .launch {
      launchID = lastID
      beginApp()
    }
    let duration = limit.duration(own: limits.reply)
    open[lastID] = Command(method: request.method, due: duration.map { (limit: $0, at: now.advanced(by: $0)) })
    return (lastID, RPCMessage.request(id: lastID, method: request.method, params: .object(request.params)).line)
  }

  private mutating func beginApp() {
    outputBytes = 0
    errorOutput.beginAnew()
  }

  /// Notes that the kit has asked the app to end. Replies to open commands are then no longer evidence about the SDK,
  /// and have no time limit.
  private mutating func endApp() {
    for id in open.keys {
      open[id]?.isEnded = true
      open[id]?.due = nil
    }
  }

  /// Processes bytes that were read from stdout. Returns the consequences in order.
  mutating func readOutput(_ bytes: some Collection<UInt8>) -> [Output] {
    if refusal != nil { return [] }
    var outputs: [Output] = []
    for line in splitter.lines(in: bytes).withoutBlanksBeforeStrayLines where refusal == nil {
      switch line {
      case .whole(let bytes): outputs += readLine(bytes)
      case .tooLong(let beginning):
        outputs += breach(
          "\(source.noun) is longer than \(limits.lineBytes) bytes. It begins: \(VisibleBytes.text(beginning))",
          isFatal: true)
      }
    }
    outputBytes += bytes.count
    if outputBytes > limits.outputBytes {
      let place = source == .output ? "on stdout" : "from the adapter"
      outputs += breach("more than \(limits.outputBytes) bytes came \(place) since the launch", isFatal: true)
    }
    return outputs
  }

  /// Processes bytes that were read from stderr.
  mutating func readErrors(_ bytes: some Collection<UInt8>) -> [Output] {
    errorOutput.read(bytes).map { [.event(.output($0))] } ?? []
  }

  /// Extends the time limit of every open command by a span.
  mutating func postpone(by span: Duration) {
    for id in open.keys { open[id]?.due?.at += span }
  }

  /// Gives up on the adapter if the limit of a command has passed.
  mutating func expire(at now: Instant) -> [Output] {
    let late = open.compactMap { id, command in
      command.due.flatMap { $0.at <= now ? (id: id, method: command.method, limit: $0.limit) : nil }
    }
    guard refusal == nil, let (id, method, limit) = late.min(by: { $0.id < $1.id }) else { return [] }
    open[id] = nil
    let others = open.filter { $0.value.due == nil }.min { $0.key < $1.key }
    let waiting = others.map { ", and '\($0.value.method)' (id \($0.key)) has not returned" } ?? ""
    let failure = ProgramFailure(.hung, "no reply to '\(method)' (id \(id)) within \(limit)\(waiting)\(lastWords)")
    refusal = failure
    return [.event(.hung(id: id, command: method)), .settled(id: id, .failure(failure)), .stop(.hung)]
  }

  /// Processes the end of the process: reports the rest of stdout and stderr, reports the exit, and fails all open
  /// commands.
  mutating func end(_ ending: AdapterEnding) -> [Output] {
    var outputs: [Output] = errorOutput.flush().map { [.event(.output($0))] } ?? []
    if !splitter.rest.isEmpty, ending.cause == .itself || ending.cause == .shutdown {
      outputs += breach("stdout ended in the middle of a line. It begins: \(VisibleBytes.text(splitter.rest))")
    }
    if ending.cause == .shutdown, ending.exit != .exited(code: 0) {
      outputs += breach("after 'shutdown' the process \(ending.exit); expected it to exit with code 0")
    }
    switch ending.exit {
    case .exited(let code): outputs.append(.event(.exited(code: code)))
    case .signalled(let signal): outputs.append(.event(.signalled(signal)))
    }
    let unanswered = open.sorted { $0.key < $1.key }
    for (id, command) in unanswered { outputs.append(.settled(id: id, .failure(failure(of: command, id, ending)))) }
    open = [:]
    if refusal == nil {
      let asked = unanswered.first { $0.value.method != BaseCommand.advance.rawValue } ?? unanswered.first
      // The process may exit before the kit writes the first command. The text does not distinguish this case.
      let before =
        asked.map { "before it answered '\($0.value.method)' (id \($0.key))" }
        ?? (hasReplied ? nil : "before it answered '\(BaseCommand.hello.rawValue)'")
      refusal = ProgramFailure(ending.cause == .itself ? .died : .ended, text(of: ending.exit, before))
    }
    return outputs
  }

  /// Counts and reports a breach of the adapter protocol. Either this type or its caller has found the breach.
  ///
  /// - Parameter isEarlier: whether the breach is about a command that was sent before the last launch.
  mutating func breach(_ text: String, isFatal: Bool = false, isEarlier: Bool = false) -> [Output] {
    if refusal != nil { return [] }
    breaches += 1
    var outputs: [Output] = [.event(isEarlier ? .earlierBreach(text) : .breach(text))]
    let isTooMuch = breaches >= limits.breaches
    if isTooMuch {
      outputs.append(.event(.breach("the adapter is stopped: \(breaches) breaches are too many")))
    }
    guard isFatal || isTooMuch || !hasReplied else { return outputs }
    let failure = ProgramFailure(.broke, text + lastWords)
    refusal = failure
    outputs += open.keys.sorted().map { .settled(id: $0, .failure(failure)) } + [.stop(.broke)]
    open = [:]
    return outputs
  }
}

extension AdapterConversation {
  private mutating func readLine(_ line: [UInt8]) -> [Output] {
    do {
      switch try RPCMessage(line: line, from: source) {
      case .request(_, let method, _):
        return breach("the request '\(method)' came from the adapter; expected notifications, which have no id")
      case .notification(let method, let params): return readNotification(method, params)
      case .result(let id, let value): return readReply(id) { $0.outcome(of: $1, id, value) }
      case .failure(let id, let error): return readReply(id) { $0.outcome(of: $1, id, error) }
      case .refusal(let error):
        return breach("the adapter could not read what the kit sent: the error \(error.code), \"\(error.message)\"")
      }
    } catch {
      let failure = ProgramFailure(.broke, error.text)
      let answered = error.id.flatMap { id in open.removeValue(forKey: id).map { _ in id } }
      return breach(error.text) + (answered.map { [.settled(id: $0, .failure(failure))] } ?? [])
    }
  }

  private mutating func readNotification(_ method: String, _ params: JSON) -> [Output] {
    guard method == AdapterCallback.method else {
      return breach("the notification '\(method)' is unknown; expected '\(AdapterCallback.method)'")
    }
    let field = JSONField(params, path: JSONPath([.key("params")]))
    do {
      let callback = try AdapterCallback(field)
      return [.event(.callback(handle: callback.handle, value: callback.value))]
    } catch {
      return breach("a callback does not fit at \(error); expected {\"handle\": …, \"value\": …}")
    }
  }

  private mutating func readReply(
    _ id: Int, as read: (Self, Command) -> (CommandOutcome, [String])
  ) -> [Output] {
    guard let command = open.removeValue(forKey: id) else {
      let isKnown = id > 0 && id <= lastID
      return breach(
        isKnown ? "a second reply to id \(id)" : "a reply to id \(id), which no command has",
        isEarlier: isKnown && id < launchID)
    }
    hasReplied = true
    if command.method == BaseCommand.shutdown.rawValue { hasAnsweredShutdown = true }
    if command.isEnded { return [.event(.ended(id: id)), .settled(id: id, .success(.noReply))] }
    let (outcome, problems) = read(self, command)
    return problems.flatMap { breach($0) }
      + [.event(.reply(id: id, outcome)), .settled(id: id, .success(outcome))]
  }

  private func outcome(of command: Command, _ id: Int, _ result: JSON) -> (CommandOutcome, [String]) {
    let problems =
      BaseCommand(rawValue: command.method)?.problems(in: result) ?? checks.result(command.method, result)
    return (.result(result), problems.map { "the result of '\(command.method)' (id \(id)) does not fit at \($0)" })
  }

  private func outcome(of command: Command, _ id: Int, _ error: RPCError) -> (CommandOutcome, [String]) {
    let (read, problem) = checks.read(error)
    let what = "the error \(error.code) of '\(command.method)' (id \(id), \"\(error.message)\")"
    if read.kind == CommandError.ended {
      return (.error(read), ["\(what) has the kind 'ended', and the kit sent neither 'quit' nor 'shutdown'"])
    }
    return (.error(read), problem.map { ["\(what) does not fit at \($0)"] } ?? [])
  }

  private func failure(of command: Command, _ id: Int, _ ending: AdapterEnding) -> ProgramFailure {
    let before = "before it answered '\(command.method)' (id \(id))"
    let what = "the adapter \(ending.exit) \(before)"
    return switch ending.cause {
    case .itself: ProgramFailure(.died, text(of: ending.exit, before))
    case .hung: ProgramFailure(.hung, "\(what): it was killed because it did not reply to another command")
    case .broke: ProgramFailure(.broke, "\(what): it was killed because it broke the adapter protocol")
    case .shutdown, .terminated, .forced, .killed: ProgramFailure(.ended, "\(what): the kit ended it")
    }
  }

  /// The sentence about an adapter that ended by itself. For an adapter behind a carrier, the last line on the relay's
  /// stderr is the reason.
  private func text(of exit: ProcessExit, _ before: String?) -> String {
    let when = before.map { " \($0)" } ?? ""
    guard source == .carrier else { return "the adapter \(exit)\(when)\(lastWords)" }
    let lines = errorOutput.lastLines
    guard exit != .exited(code: 0), let reason = lines.last else {
      return "the adapter closed its connection\(when)\(lastWords)"
    }
    let end = reason.hasSuffix("?") ? "" : "."
    return reason
      + (before.map { "\(end) This was \($0.replacing("it answered", with: "the adapter answered"))" } ?? "")
      + Self.words(of: lines.dropLast(), from: source)
  }

  private var lastWords: String { Self.words(of: errorOutput.lastLines[...], from: source) }

  private static func words(of lines: ArraySlice<String>, from source: MessageSource) -> String {
    guard !lines.isEmpty else { return "" }
    return (source == .output ? ". Its stderr ends: " : ". The carrier reports: ") + lines.joined(separator: " | ")
  }
}

extension [LineSplitter.Line] {
  /// These lines without each blank line that comes directly before a stray line (a text that is not a message). The
  /// first breach then quotes the stray line and not a blank line, so that the user sees which program wrote it.
  fileprivate var withoutBlanksBeforeStrayLines: [LineSplitter.Line] {
    guard count > 1 else { return self }
    var kept: [LineSplitter.Line] = []
    for line in reversed() {
      if line.isBlank, let next = kept.last, next.isStray { continue }
      kept.append(line)
    }
    return kept.reversed()
  }
}

extension LineSplitter.Line {
  fileprivate var isBlank: Bool {
    if case .whole(let bytes) = self { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } } else { false }
  }

  /// Whether the line contains text but does not begin as a message does.
  fileprivate var isStray: Bool {
    guard case .whole(let bytes) = self, !isBlank else { return false }
    return bytes.first { $0 != 0x20 && $0 != 0x09 } != UInt8(ascii: "{")
  }
}
