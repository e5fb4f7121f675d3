// The part of an adapter that is the same for every SDK, every protocol and every carrier: the life of the app, the order
// of replies and callbacks, clocks, errors.
import { makeClock, VirtualClock } from './clocks.mjs';

const NO_SUCH_COMMAND = -32601;
const SDK_FAILED = -32000;

/** Thrown by a command whose feature the SDK does not have. */
export class Unsupported extends Error {}

/**
 * A running app: what the kit lends to one launch.
 * @typedef {object} App
 * @property {string} storage  the folder for all that the SDK persists
 * @property {RealClock | VirtualClock} clock  see clocks.mjs; the SDK has to take its time and its timers from here
 * @property {number} seed  for all that the SDK draws by lot; another at each launch of a case
 * @property {object} environment  facts about the app's surroundings
 * @property {string} [dialect]  the one that the app is set up for, told to SDKs that name several
 * @property {(handle: string, value: any) => void} callback  tells the kit that the SDK has called back
 */

/**
 * @typedef {object} Adapter
 * @property {object} hello  the result of `hello`, without the version of this protocol
 * @property {(app: App) => any} open  starts an app; what it returns is handed to the commands
 * @property {(sdk: any) => void} [close]  the app is closed properly: time to write what has not been written yet
 * @property {Record<string, (sdk: any, params: object, app: App) => any>} commands  may return promises
 * @property {(error: Error) => { kind: string, status?: number }} errorOf  says what an error of the SDK is
 */

/**
 * What carries the messages, and what the place gives that the adapter runs at.
 * @typedef {object} Place
 * @property {(message: object, written?: () => void) => void} send  sends one message
 * @property {() => void} exit  ends the process, or what takes its place, once all is written
 * @property {(params: object) => void} [prepare]  applies what a launch says about TLS and names
 */

/** An adapter at work. */
export class AdapterProcess {
  /** @type {{ app: App, sdk: any, open: Set<number> } | undefined} */
  launched;
  /** @type {Promise<void> | undefined} while an app starts that takes its time; commands wait for it */
  opening;

  /** @param {Adapter} adapter @param {Place} place */
  constructor(adapter, place) {
    this.adapter = adapter;
    this.place = place;
    this.own = {
      hello: () => ({ protocolVersion: 1, ...adapter.hello }),
      ping: () => null,
    };
  }

  /** Starts a command. Nothing here waits: the next line has to be read while this one is still at work. */
  receive(message) {
    if (this.opening && message.method !== 'ping') return void this.opening.then(() => this.receive(message));
    const { id, method, params } = message;
    if (method in LIFE) return LIFE[method].call(this, id, params);
    if (Object.hasOwn(this.own, method)) return this.reply(id, this.own[method](params));
    if (!Object.hasOwn(this.adapter.commands, method)) return this.refuse(id, method);
    if (!this.launched) return this.fail(id, 'no app is running', { kind: 'ended' });
    return this.run(id, this.adapter.commands[method], params);
  }

  launch(id, params) {
    this.leave();
    this.place.prepare?.(params);
    const app = {
      storage: params.storage,
      clock: makeClock(params.clock),
      seed: params.seed,
      environment: params.environment,
      dialect: params.dialect,
      callback: (handle, value = null) => this.tell(app, handle, value),
    };
    this.launched = { app, open: new Set(), sdk: undefined };
    const opened = this.adapter.open(app);
    if (typeof opened?.then !== 'function') return this.opened(id, opened);
    this.opening = opened.then((sdk) => this.opened(id, sdk));
  }

  opened(id, sdk) {
    this.opening = undefined;
    this.launched.sdk = sdk;
    this.reply(id, null);
  }

  advance(id, { to, inFlight }) {
    if (!(this.launched?.app.clock instanceof VirtualClock)) return this.refuse(id, 'advance');
    const { app, open } = this.launched;
    open.add(id);
    app.clock.advance(to, inFlight, (next) => {
      open.delete(id);
      this.reply(id, next);
    });
  }

  quit(id) {
    this.leave();
    this.reply(id, null);
  }

  shutdown(id) {
    this.leave();
    this.send({ id, result: null }, () => this.place.exit());
  }

  /** The kit has ended the conversation. */
  end() {
    this.leave();
    this.place.exit();
  }

  /** Runs a command of the protocol. One that is done at once is answered at once, before the next is started. */
  run(id, command, params) {
    const { app, sdk, open } = this.launched;
    open.add(id);
    const settle = (answer) => {
      if (!open.delete(id)) return; // the app has ended, and so it was answered
      answer();
      app.clock.touch();
    };
    const succeed = (result) => settle(() => this.reply(id, result ?? null));
    const fail = (error) => settle(() => this.failWith(id, error));
    try {
      const outcome = command(sdk, params, app);
      if (typeof outcome?.then === 'function') outcome.then(succeed, fail);
      else succeed(outcome);
    } catch (error) {
      fail(error);
    }
    app.clock.touch();
  }

  /** Ends the app that runs, if one does: first what it writes on leaving, then its timers, requests and callbacks. */
  leave() {
    if (!this.launched) return;
    const { app, sdk, open } = this.launched;
    this.launched = undefined;
    this.adapter.close?.(sdk);
    app.clock.stop();
    for (const id of open) this.fail(id, 'the app has ended', { kind: 'ended' });
    open.clear();
  }

  tell(app, handle, value) {
    if (this.launched?.app !== app) return;
    this.send({ method: 'callback', params: { handle, value } });
  }

  send(message, written) {
    this.place.send({ jsonrpc: '2.0', ...message }, written);
  }

  reply(id, result) {
    this.send({ id, result });
  }

  refuse(id, method) {
    this.send({ id, error: { code: NO_SUCH_COMMAND, message: `there is no command ${method}` } });
  }

  failWith(id, error) {
    if (error instanceof Unsupported) return this.fail(id, error.message, { kind: 'unsupported' });
    const { kind, status } = this.adapter.errorOf(error);
    return this.fail(id, error.message, status === undefined ? { kind } : { kind, status });
  }

  fail(id, message, data) {
    this.send({ id, error: { code: SDK_FAILED, message, data } });
  }
}

/** The commands that begin and end an app. They are no commands of a running one. */
const LIFE = {
  __proto__: null,
  launch: AdapterProcess.prototype.launch,
  advance: AdapterProcess.prototype.advance,
  quit: AdapterProcess.prototype.quit,
  shutdown: AdapterProcess.prototype.shutdown,
};
