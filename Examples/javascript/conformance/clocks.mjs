// The clocks that an adapter provides to its SDK. All have the same interface:
//   now()                milliseconds since 1970
//   setTimeout(f, ms)    sets a timer; returns a token for clearTimeout
//   request(send)        runs `send`, a function that returns a promise, as an HTTP request
//   work(promise)        reports work that continues by itself, such as asynchronous access to a file
//   touch()              reports activity, so that the clock checks whether all work is done
//   stop()               ends all timers; the SDK gets no results of open work

/** Calls back once every promise has continued that can: `setImmediate`, or in a page a message to itself. */
const soon = globalThis.setImmediate ?? messageToItself();

function messageToItself() {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return (callback) => {
    waiting.push(callback);
    port2.postMessage(null);
  };
}

/** A promise that never settles. An app that has ended waits for it. */
const never = new Promise(() => {});

/** Real or faster time: a timer for n milliseconds fires after n / scale. */
export class RealClock {
  timers = new Set();
  stopped = false;

  /** @param {number} [scale] */
  constructor(scale = 1) {
    this.scale = scale;
  }

  now() {
    return Date.now();
  }

  setTimeout(callback, milliseconds) {
    if (this.stopped) return undefined;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      callback();
    }, Math.max(0, milliseconds) / this.scale);
    this.timers.add(timer);
    return timer;
  }

  clearTimeout(timer) {
    this.timers.delete(timer);
    clearTimeout(timer);
  }

  async request(send) {
    return this.unlessStopped(send());
  }

  async work(promise) {
    return this.unlessStopped(promise);
  }

  touch() {}

  stop() {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  /** @private */
  async unlessStopped(promise) {
    try {
      const value = await promise;
      return this.stopped ? never : value;
    } catch (error) {
      return this.stopped ? never : Promise.reject(error);
    }
  }
}

/**
 * A clock that moves only if it is advanced. It stops at each due timer until all following work is done.
 *
 * JavaScript runs every microtask before the next callback of the event loop. So when a callback of `soon` runs, no promise
 * can continue by itself: each open promise waits for a timer, for a response, or for work that was passed to
 * `work`. Only at this point, the clock decides whether to move.
 */
export class VirtualClock {
  elapsed = 0;
  outstanding = 0;
  atWork = 0;
  timers = [];
  advances = [];
  looking = false;
  stopped = false;

  /** @param {number} epoch the time at the launch, in milliseconds since 1970 */
  constructor(epoch) {
    this.epoch = epoch;
  }

  now() {
    return this.epoch + this.elapsed;
  }

  setTimeout(callback, milliseconds) {
    if (this.stopped) return undefined;
    const timer = { due: this.elapsed + Math.max(0, milliseconds), callback };
    const later = this.timers.findIndex((other) => other.due > timer.due);
    this.timers.splice(later < 0 ? this.timers.length : later, 0, timer); // timers with the same due time keep their order
    return timer;
  }

  clearTimeout(timer) {
    this.timers = this.timers.filter((other) => other !== timer);
  }

  async request(send) {
    this.outstanding += 1;
    return this.watch(send(), () => (this.outstanding -= 1));
  }

  async work(promise) {
    this.atWork += 1;
    return this.watch(promise, () => (this.atWork -= 1));
  }

  touch() {
    if (this.looking || this.stopped) return;
    this.looking = true;
    soon(() => {
      this.looking = false;
      if (!this.stopped) this.step();
    });
  }

  /**
   * Moves the clock.
   * @param {number} to milliseconds after the launch
   * @param {number} inFlight how many requests may be outstanding while the clock moves
   * @param {(reply: { next: number | null }) => void} done
   */
  advance(to, inFlight, done) {
    this.advances.push({ to, inFlight, done });
    this.touch();
  }

  stop() {
    this.stopped = true;
    this.timers = [];
    this.advances = [];
  }

  /** Takes one step: fires one timer, or moves to the time of the last `advance`. @private */
  step() {
    const last = this.advances.at(-1);
    if (!last || this.atWork > 0) return;
    if (this.outstanding <= last.inFlight) {
      const timer = this.timers[0];
      if (timer && timer.due <= last.to) return this.fire(timer);
      this.elapsed = Math.max(this.elapsed, last.to);
    }
    this.answer();
  }

  /** @private */
  fire(timer) {
    this.timers.shift();
    this.elapsed = Math.max(this.elapsed, timer.due);
    timer.callback();
    this.touch(); // the work that the timer has begun comes first
  }

  /** @private */
  answer() {
    const isDone = ({ to, inFlight }) => this.elapsed >= to && this.outstanding <= inFlight;
    const done = this.advances.filter(isDone);
    this.advances = this.advances.filter((advance) => !isDone(advance));
    for (const advance of done) advance.done({ next: this.timers[0]?.due ?? null });
  }

  /** Waits for a promise. `touch` lets all promises continue before the clock decides. @private */
  async watch(promise, ended) {
    try {
      const value = await promise;
      return this.stopped ? never : value;
    } catch (error) {
      return this.stopped ? never : Promise.reject(error);
    } finally {
      ended();
      this.touch();
    }
  }
}

/** The clock that a launch requests. */
export function makeClock({ mode, epoch, scale }) {
  if (mode === 'virtual') return new VirtualClock(epoch);
  return new RealClock(mode === 'scaled' ? scale : 1);
}
