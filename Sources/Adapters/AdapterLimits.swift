/// The resources that an adapter may use before the kit gives up on the adapter. All times are real time. They do not
/// include the time in which the kit could not run, or in which the adapter waited for a processor.
package struct AdapterLimits: Hashable, Sendable {
  /// The longest time until the adapter replies to one of the commands that every adapter supports, or to a made-up
  /// command of the ``AdapterProbe``.
  package var reply: Duration
  /// The time within which a process must end after `shutdown`, and again after SIGTERM.
  package var grace: Duration
  /// The longest line on stdout in bytes, without its end.
  package var lineBytes: Int
  /// After each `launch`, the kit reports this number of bytes of stderr. If there are more, it also keeps this number
  /// of bytes from the end of the output.
  package var errorBytes: Int
  /// After this number of breaches, the kit stops the process.
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
