import Dispatch
import NIOCore

/// A loop that does nothing until this ends.
final class BusyLoop {
  private let mayGoOn = DispatchSemaphore(value: 0)

  init(_ loop: any EventLoop) async {
    let isBusy = Inbox(false)
    loop.execute { [mayGoOn] in
      isBusy.change { $0 = true }
      mayGoOn.wait()
    }
    _ = await isBusy.wait { $0 }
  }

  deinit { end() }

  func end() { mayGoOn.signal() }
}
