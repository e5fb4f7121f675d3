// The part of an adapter that is the same for every SDK, every protocol and every carrier: the life of the app, the order
// of replies and callbacks, clocks, errors.
import { makeClock, VirtualClock } from './clocks.mjs';

const NO_SUCH_COMMAND = -32601;
const SDK_FAILED = -32000;

/** Thrown by a command whose feature the SDK does not have. */
export class Unsupported extends Error {}

/**
 * A running app: the parts that the kit provides to one launch.
 * @typedef {object} App
 * @property {string} storage  the folder for all data that the SDK stores
 * @property {RealClock | VirtualClock} clock  the SDK must use the time and the timers of this clock; see clocks.mjs
 * @property {number} seed  the seed for random values of the SDK; it differs at each launch of a case
 * @property {object} environment  facts about the app's surroundings
 * @property {string} [dialect]  the dialect to use, if the SDK lists several dialects
 * @property {(handle: string, value: any) => void} callback  reports to the kit that the SDK has called a callback
 */

/**
 * @typedef {object} Adapter
 * @property {object} hello  the result of `hello`, without the version of this protocol
 * @property {(app: App) => any} open  starts an app; commands get the returned value
 * @property {(sdk: any) => void} [close]  called if the app is closed properly, so that unwritten data can be written
 * @property {Record<string, (sdk: any, params: object, app: App) => any>} commands  may return promises
 * @property {(error: Error) => { kind: string, status?: number }} errorOf  describes an error of the SDK
 */

/**
 * The transport of messages, and the other functions of the system on which the adapter runs.
 * @typedef {object} Place
 * @property {(message: object, written?: () => void) => void} send  sends one message
 * @property {() => void} exit  ends the process or session once all messages are written
 * @property {(params: object) => void} [prepare]  applies the settings of a launch for TLS and names
 */

/** A running adapter. */
export class AdapterProcess {
  /** @type {{ app: App, sdk: any, open: Set<number> } | undefined} */
  launched;
  /** @type {Promise<void> | undefined} set while an app starts asynchronously; commands wait for it */
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

  /** Starts a command. Does not wait, since the next line must be read while the command runs. */
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

  /** Called if the kit has ended the conversation. */
  end() {
    this.leave();
    this.place.exit();
  }

  /** Runs a command of the protocol. If it is done at once, it is answered before the next command starts. */
  run(id, command, params) {
    const { app, sdk, open } = this.launched;
    open.add(id);
    const settle = (answer) => {
      if (!open.delete(id)) return; // the command was answered when the app ended
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

  /** Ends the running app, if there is one. The SDK writes its data first. Then timers, requests and callbacks end. */
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

/** The commands that begin, advance and end an app. They are not commands of the protocol. */
const LIFE = {
  __proto__: null,
  launch: AdapterProcess.prototype.launch,
  advance: AdapterProcess.prototype.advance,
  quit: AdapterProcess.prototype.quit,
  shutdown: AdapterProcess.prototype.shutdown,
};
