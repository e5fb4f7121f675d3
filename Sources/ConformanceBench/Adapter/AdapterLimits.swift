/// What an adapter may cost before the kit gives up on it. Times are real time in which the kit could run
/// and the adapter did not wait for a processor.
package struct AdapterLimits: Hashable, Sendable {
  /// How long the kit's own commands may take: those that every adapter has, and those made up for the probe.
  package var reply: Duration
  /// How long a process may take to end once it should, before the next harder means.
  package var grace: Duration
  /// The longest line on stdout in bytes, without its end.
  package var lineBytes: Int
  /// How much of stderr is reported after each `launch`, and how much of its end is kept.
  package var errorBytes: Int
  /// How many breaches a process may commit.
  package var breaches: Int
  /// How much may come on stdout after each `launch`, in bytes.
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
