import { Api } from './api.mjs';
import { AnswerReader } from './answers.mjs';
import { DeferredLinks, DirectLinks } from './callbacks.mjs';
import { DEFAULT_CHOICES } from './choices.mjs';
import { ConfigurationReader } from './configuration.mjs';
import { Fingerprint } from './device.mjs';
import { alreadyInitialized, notInitialized } from './errors.mjs';
import { EventQueue } from './event-queue.mjs';
import { EventMaker, EventSender } from './events.mjs';
import { LinkMaker, missingKey } from './link-maker.mjs';
import { LinkReader } from './link-url.mjs';
import { Memory } from './memory.mjs';
import { Resolver } from './resolver.mjs';

/** @type {import('./answers.mjs').Install} */
const ORGANIC = Object.freeze({
  installId: null, attributed: false, confidenceScore: 0, matchedFactors: [], deepLinkData: null,
});

/**
 * Named texts that outlive the app: in a folder, or in the storage of a browser.
 * @typedef {object} Storage
 * @property {(name: string) => string | undefined} get
 * @property {(name: string, text: string) => void} set
 * @property {(name: string) => void} remove
 * @property {() => void} clear
 * @property {() => void} flush  writes all unwritten data
 */

/**
 * The parts that the SDK needs from its platform.
 * @typedef {object} Platform
 * @property {(choices: object, log: (text: string, error?: Error) => void) => Storage} storage  the storage of the SDK
 * @property {() => import('./device.mjs').Device} device
 * @property {{ send(request: import('./transport.mjs').Request): Promise<import('./transport.mjs').Response> }} transport
 * @property {{ now(): number, setTimeout(f: () => void, ms: number): any, clearTimeout(timer: any): void }} clock
 * @property {() => string} [uuid]
 * @property {{ initial?: string, listen(heard: (url: string) => void): () => void }} [urls]  the links that the platform delivers
 * @property {{ listen(changed: (online: boolean) => void): () => void }} [network]
 * @property {(line: string) => void} [print]  prints a line of the log in debug mode
 */

/** @type {WeakMap<Platform, LinkForty>} */
const shared = new WeakMap();

/** The SDK. An app uses one instance: `LinkForty.shared(platform)`. */
export class LinkForty {
  /** The session of the present configuration, or undefined if there is no configuration. */
  session;
  /** @type {string | null} in memory only */
  externalUserId = null;
  /** Whether the URL that started the app was taken. It is delivered only once, even if the SDK is initialised again. */
  initialUrlTaken = false;
  /** URLs that arrived before the SDK was initialised. */
  earlyUrls = [];
  /** Stops listening to the platform. */
  deafen = () => {};
  isDeaf = false;
  /** Whether the install was reported in this launch. */
  reportedHere = false;

  /** The only instance of a platform. @param {Platform} platform */
  static shared(platform, choices) {
    if (!shared.has(platform)) shared.set(platform, new LinkForty(platform, choices));
    return shared.get(platform);
  }

  /** @param {Platform} platform @param {Partial<typeof DEFAULT_CHOICES>} [choices] */
  constructor(platform, choices = {}) {
    this.platform = platform;
    this.choices = { ...DEFAULT_CHOICES, ...choices };
    this.storage = platform.storage(this.choices, this.log);
    this.memory = new Memory(this.storage);
    this.queue = new EventQueue(this.memory, this.choices);
    this.firstLaunch = !this.memory.wasLaunched();
    this.events = new EventMaker({ choices: this.choices, clock: platform.clock, memory: this.memory });
    this.answers = new AnswerReader(this.choices);
    this.fingerprint = new Fingerprint(platform.device, this.choices);
    this.reader = new LinkReader(this.choices);
    this.deferred = new DeferredLinks({ delivered: () => this.memory.markDelivered(), log: this.log });
    this.direct = new DirectLinks({ choices: this.choices, log: this.log });
    this.listenToPlatform();
  }

  // ----- Initialisation

  /**
   * Configures and starts the SDK. The first launch also reports the install. Only an invalid configuration and a second call
   * are errors, since the app must not depend on a network.
   * @param {import('./configuration.mjs').Configuration} configuration
   * @returns {Promise<import('./answers.mjs').Install | null>}
   */
  async initialize(configuration) {
    if (this.session) return this.initializeAgain();
    const session = this.makeSession(new ConfigurationReader(this.choices).read(configuration));
    this.session = session;
    this.noteLaunch();
    this.hearPlatform(session);
    session.starting = this.start(session);
    session.starting.catch(() => {}); // callers that await it get the error
    if (!this.choices.waitsForInstall) return null;
    const install = await session.starting;
    return this.choices.tellsInstall ? install : null;
  }

  initializeAgain() {
    if (this.choices.secondInitialize === 'throw') throw alreadyInitialized();
    this.log('initialize() was called before');
    return this.session.starting;
  }

  makeSession(configuration) {
    const session = { configuration, over: false, starting: undefined };
    const { choices, answers, fingerprint, queue, memory, log } = this;
    const { transport, clock, uuid } = this.platform;
    session.api = new Api({ configuration, choices, transport, clock, log });
    session.resolver = new Resolver({ api: session.api, fingerprint, answers, choices });
    session.links = new LinkMaker({ api: session.api, answers, choices });
    const isOver = () => session.over;
    const sessionId = choices.sessionIds ? uuid() : undefined;
    session.sender = new EventSender({ api: session.api, queue, memory, choices, clock, log, isOver, sessionId });
    return session;
  }

  /** Stores that the app was launched. This comes before any request, so that it survives if the app is killed. */
  noteLaunch() {
    if (!this.memory.wasLaunched()) this.memory.markLaunched();
    if (this.choices.firstLaunchLasts === 'initialize') this.firstLaunch = false;
  }

  async start(session) {
    const install = this.isInstallReported() ? this.remember() : await this.reportInstall(session);
    if (this.choices.flushesAtLaunch) session.sender.flushSoon();
    return install;
  }

  isInstallReported() {
    return this.memory.installId() !== null;
  }

  /** Handles a launch after the report: the storage contains the install. */
  remember() {
    const install = this.memory.install();
    if (this.isDeliveredLater(install)) this.deferred.settle(install.deepLinkData ?? null);
    return { ...ORGANIC, ...install };
  }

  isDeliveredLater({ deepLinkData }) {
    if (this.reportedHere) return true; // only reset() was called since the report
    if (this.choices.laterDelivery === 'always') return true;
    return this.choices.laterDelivery === 'undelivered' && Boolean(deepLinkData) && !this.memory.wasDelivered();
  }

  /** Reports the install. After any failure, the app gets an organic install, and the next launch reports again. */
  async reportInstall(session) {
    const era = this.memory.era;
    let answer;
    this.deferred.forgetOutcome();
    try {
      answer = await this.askForInstall(session, () => !session.over && this.isStill(era));
    } catch (error) {
      return this.notReported(session, error);
    }
    if (this.isOutdated(session)) return answer;
    return this.reported(this.isStill(era) ? this.keepInstall(answer) : ORGANIC);
  }

  /** Whether reset() ended this session and the app has initialized the SDK again, or already knows an install. */
  isOutdated(session) {
    return session.over && Boolean(this.session || this.isInstallReported());
  }

  /** Whether the data was not cleared meanwhile. */
  isStill(era) {
    return this.memory.era === era;
  }

  reported(install) {
    this.deferred.settle(install.deepLinkData);
    return install;
  }

  notReported(session, error) {
    this.log('the install was not reported', error);
    if (this.isOutdated(session)) return ORGANIC;
    if (this.isRefusalTold(error)) return this.giveUp(session, error);
    this.deferred.settle(null);
    return ORGANIC;
  }

  async askForInstall({ api, configuration }, wanted) {
    const report = this.fingerprint.report(configuration);
    return this.answers.install(await api.post('/api/sdk/v1/install', report, { retries: this.choices.retries, wanted }));
  }

  keepInstall(install) {
    this.memory.saveInstall(install);
    this.reportedHere = true;
    return install;
  }

  isRefusalTold({ status }) {
    return this.choices.refusedInstall === 'throw' && status >= 400 && status < 500;
  }

  giveUp(session, error) {
    this.deferred.settle(null);
    this.endSession(session);
    throw error;
  }

  ready() {
    if (!this.session) throw notInitialized();
    return this.session;
  }

  // ----- The link behind the install

  /** Calls back once with the link that led to the install, or with null. Calls at once if the link is known already. */
  onDeferredDeepLink(callback) {
    this.deferred.register(callback);
  }

  /** @returns {string | null} */
  getInstallId() {
    return this.access(() => this.memory.installId(), null);
  }

  /** @returns {import('./answers.mjs').DeepLinkData | null} */
  getInstallData() {
    return this.access(() => this.memory.deepLinkData(), null);
  }

  /** @returns {boolean} */
  isFirstLaunch() {
    return this.access(() => this.firstLaunch, false);
  }

  access(read, nothing) {
    if (this.session || this.choices.earlyAccess === 'stored') return read();
    if (this.choices.earlyAccess === 'refuse') throw notInitialized();
    return nothing;
  }

  // ----- Links that open the app

  /** Calls back with `{ url, data }` for each link that opens the app. */
  onDeepLink(callback) {
    this.direct.register(callback);
  }

  /** Handles a URL that opened the app. Resolves after the callbacks were called. @param {string} url */
  async handleUrl(url) {
    if (!this.session && this.choices.earlyUrl === 'hold') return void this.earlyUrls.push(url);
    const delivered = this.deliverUrl(this.ready(), url);
    if (!this.choices.handleReturnsAtOnce) await delivered;
  }

  deliverUrl(session, url) {
    const handedOn = this.choices.urlRewritten && URL.canParse(url) ? new URL(url).href : url;
    return this.direct.deliverWhenReady(handedOn, this.lookUp(session, String(handedOn)));
  }

  /** The link data for a URL: from the server or, if that fails, from the URL itself. Never fails. */
  async lookUp(session, text) {
    const url = this.reader.takeApart(text, session.configuration.base);
    const local = this.reader.localData(url);
    const segments = this.resolvableSegments(url);
    if (segments.length === 0) return local;
    try {
      const decode = (segment) => this.reader.decode(segment);
      const resolved = await session.resolver.resolve(segments, decode, local?.utmParameters);
      return this.choices.mergesParameters ? this.merge(local, resolved) : resolved;
    } catch (error) {
      this.log('the link was not resolved', error);
      return local;
    }
  }

  resolvableSegments(url) {
    return url.isOurs ? this.reader.resolvable(url.segments) : [];
  }

  /** Adds the parameters of the URL to the answer of the server. The values of the server take precedence. */
  merge(local, resolved) {
    const both = (name) => ({ [name]: { ...local?.[name], ...resolved[name] } });
    return { ...resolved, ...both('utmParameters'), ...both('customParameters') };
  }

  /** Listens from the beginning, since a URL that the platform delivers without a listener is lost. */
  listenToPlatform() {
    const { urls } = this.platform;
    if (!urls || !this.choices.listensToPlatform) return;
    this.deafen = urls.listen((url) => this.hear(url));
    this.isDeaf = false;
  }

  hear(url) {
    if (this.session) this.deliverUrl(this.session, url);
    else this.earlyUrls.push(url);
  }

  hearPlatform(session) {
    const { network } = this.platform;
    session.ignoreNetwork = network?.listen((online) => this.networkChanged(session, online)) ?? (() => {});
    if (this.isDeaf) this.listenToPlatform();
    this.takeInitialUrl();
    for (const url of this.earlyUrls.splice(0)) this.deliverUrl(session, url);
  }

  /** Puts the URL that started the app before all other URLs, since it is the oldest. */
  takeInitialUrl() {
    const initial = this.platform.urls?.initial;
    if (initial && this.choices.listensToPlatform && !this.initialUrlTaken) this.earlyUrls.unshift(initial);
    this.initialUrlTaken = true;
  }

  networkChanged(session, online) {
    session.api.offline = !online;
    if (online) session.sender.flushSoon();
  }

  // ----- Events

  /**
   * Tracks an event. Resolves when the server has accepted the event, or when it is queued because the network failed.
   * @param {string} name
   * @param {object} [properties]
   */
  async trackEvent(name, properties) {
    const session = this.ready();
    return this.track(session, this.events.make(name, properties));
  }

  /**
   * Tracks revenue.
   * @param {number | string} amount a number, or a decimal number as text
   * @param {string} currency
   * @param {object} [properties]
   */
  async trackRevenue(amount, currency, properties) {
    const session = this.ready();
    return this.track(session, this.events.makeRevenue(amount, currency, properties));
  }

  async track(session, event) {
    if (!event.installId && this.choices.eventWithoutInstall !== 'queue') await this.installOrError(session);
    return session.sender.track(event);
  }

  async installOrError(session) {
    if (this.choices.eventWithoutInstall === 'wait') await session.starting;
    if (!this.memory.installId() && this.choices.eventWithoutInstall === 'refuse') throw notInitialized();
  }

  /** Sends queued events. */
  async flush() {
    if (!this.session && this.choices.earlyQueue === 'nothing') return;
    try {
      await this.ready().sender.flush();
    } catch (error) {
      if (this.isFlushErrorTold(error)) throw error;
    }
  }

  isFlushErrorTold({ code }) {
    if (code === 'not-initialized') return true;
    return this.choices.flushTells === 'all' || (this.choices.flushTells === 'server' && code === 'server');
  }

  /** The number of queued events. @returns {number} */
  queueSize() {
    return this.access(() => this.queue.size, 0);
  }

  /** Removes all queued events. */
  clearQueue() {
    if (!this.session && this.choices.earlyQueue === 'nothing') return;
    this.ready();
    this.queue.clear();
  }

  // ----- Creating links

  /**
   * Creates a link.
   * @param {import('./link-maker.mjs').CreateLinkOptions} [options]
   * @returns {Promise<{ url: string, shortCode: string, linkId: string, deduplicated?: boolean }>}
   */
  async createLink(options = {}) {
    if (!this.session && this.choices.firstFault === 'key') throw missingKey();
    return this.ready().links.create(options, this.externalUserId);
  }

  // ----- The user

  /** @param {string | null} id null for none */
  setExternalUserId(id) {
    this.externalUserId = id ?? null;
  }

  /** @returns {string | null} */
  getExternalUserId() {
    return this.externalUserId;
  }

  // ----- Data

  /** Removes all stored data and the user. Open requests do not restore data. */
  clearData() {
    this.memory.wipe();
    this.queue.forget();
    this.deferred.forgetOutcome();
    this.direct.forgetLinks();
    this.externalUserId = null;
    this.firstLaunch = true;
    this.reportedHere = false;
    if (this.choices.clearForgetsCallbacks) this.forgetCallbacks();
  }

  /** Returns to the state before initialize(). Stored data stays. */
  reset() {
    if (this.session) this.endSession(this.session);
    this.externalUserId = null;
    this.earlyUrls = [];
    this.deferred.forgetOutcome();
    this.deafen();
    this.isDeaf = true;
    if (this.choices.resetForgetsCallbacks) this.forgetCallbacks();
  }

  endSession(session) {
    session.over = true;
    session.sender.stop();
    session.ignoreNetwork();
    if (this.session === session) this.session = undefined;
  }

  forgetCallbacks() {
    this.deferred.forgetCallbacks();
    this.direct.forgetCallbacks();
  }

  /** Called if the app is closed. Writes all unwritten data. */
  close() {
    this.storage.flush();
  }

  /** Logs a text in debug mode. The text must not contain secrets. */
  log = (text, error) => {
    if (!this.session?.configuration.debug) return;
    const line = error ? `${text}: ${error.message}` : text;
    const { apiKey } = this.session.configuration;
    this.platform.print?.(`linkforty: ${apiKey ? line.replaceAll(apiKey, '***') : line}`);
  };
}
