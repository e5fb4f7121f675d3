import Glibc

/// Lets writes to a closed pipe or socket fail with EPIPE instead of ending the kit. To be called first in `main`.
///
/// Adapters do not inherit it: they start with default dispositions.
package func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
