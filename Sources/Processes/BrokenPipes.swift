import Glibc

/// Makes writes to a closed pipe or socket fail with EPIPE, instead of ending the kit. Must be called first in `main`.
///
/// Adapters do not inherit this setting: they start with default signal dispositions.
package func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
