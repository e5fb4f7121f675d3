/// The resources that an adapter may use before the kit gives up on it. Times are real time in which the kit could run
/// and the adapter did not wait for a processor.
package struct AdapterLimits: Hashable, Sendable {
  /// The longest time for the reply to a command of the kit itself: a command that every adapter has, or an invented
  /// command of the probe.
  package var reply: Duration
  /// The time that a process has to end after each measure, before the next harder one.
  package var grace: Duration
  /// The longest line on stdout in bytes, without its end.
  package var lineBytes: Int
  /// The number of bytes of stderr that are reported after each `launch`, and the number of bytes kept of its end.
  package var errorBytes: Int
  /// The number of breaches after which a process is stopped.
  package var breaches: Int
  /// The most bytes on stdout after each `launch`.
  package var outputBytes: Int

  package init(
    reply: Duration = .seconds(30), grace: Duration = .seconds(2), lineBytes: Int = 8 << 20,
    errorBytes: Int = 256 << 10,
    breaches: Int = 100, outputBytes: Int = 32 << 20
  ) {
    self.reply = reply
    self.grace = grace
    self.lineBytes = lineBytes
    self.errorBytes = errorBytes
    self.breaches = breaches
    self.outputBytes = outputBytes
  }
}
