// The app around the SDK, and one function for each command. The adapters of this folder share this module.
import { seededUuids } from './conformance/lot.mjs';
import { LinkForty } from './linkforty/linkforty.mjs';
import { LinkFortyError } from './linkforty/errors.mjs';

/** The error kinds of the protocol for the codes of the SDK. */
const KINDS = {
  'not-initialized': 'notInitialized',
  'already-initialized': 'alreadyInitialized',
  'invalid-configuration': 'invalidConfiguration',
  'missing-api-key': 'missingApiKey',
  'invalid-event': 'invalidEventData',
  'unreadable-answer': 'decoding',
  server: 'serverError',
  network: 'network',
  timeout: 'timeout',
};

/** The facts about a phone, since the SDK is for apps on phones. `environment` and setDevice change them. */
const PHONE = {
  appName: 'ConformanceApp',
  appVersion: '1.0.0',
  platform: 'Android',
  platformVersion: '14',
  timezone: 'Europe/Berlin',
  language: 'de-DE',
  screenWidth: 412,
  screenHeight: 915,
  scale: 2.625,
};

/** A running app: the SDK and its surroundings. */
export class Phone {
  /** the listeners to URLs of the platform */
  ears = new Set();
  networkEars = new Set();

  /**
   * @param {import('./conformance/process.mjs').App} app
   * @param {object} parts the parts that the system provides: `transport`, `storage(choices, log)`, `corrupt(name, garbage)`
   * @param {object} [choices] see linkforty/choices.mjs
   */
  constructor({ clock, seed, environment }, parts, choices) {
    const { initialUrl, ...device } = environment;
    this.parts = parts;
    this.device = { ...PHONE, ...device };
    this.platform = {
      storage: parts.storage,
      device: () => this.device,
      transport: { send: (request) => parts.transport.send(request, clock) },
      clock,
      uuid: seededUuids(seed),
      urls: { initial: initialUrl, listen: (heard) => listen(this.ears, heard) },
      network: { listen: (changed) => listen(this.networkEars, changed) },
      print: (line) => console.error(line),
    };
    this.sdk = LinkForty.shared(this.platform, choices);
  }

  changeDevice({ initialUrl, ...device }) {
    this.device = { ...this.device, ...device };
  }

  say(ears, value) {
    for (const hear of [...ears]) hear(value);
  }

  /** Overwrites one part of the stored data without the SDK. */
  corrupt(name) {
    this.parts.corrupt(name, GARBAGE);
  }

  close() {
    this.sdk.close();
    this.parts.transport.close();
  }
}

/**
 * An SDK for `conform run --sdk-broken`. Each of its functions except `close` throws. If a case passes with this
 * SDK, the adapter has done the work of the SDK.
 */
export const broken = (sdk) =>
  new Proxy(sdk, {
    get(whole, name) {
      if (name === 'close') return () => whole.close();
      if (typeof whole[name] !== 'function') return whole[name];
      return () => {
        throw new Error('broken on purpose');
      };
    },
  });

const GARBAGE = '{"\u0000[,';

function listen(ears, hear) {
  ears.add(hear);
  return () => ears.delete(hear);
}

/** One function for each command. @type {Record<string, (phone: Phone, params: object, app: object) => any>} */
export const COMMANDS = {
  initialize: ({ sdk }, configuration) => sdk.initialize(configuration),
  secondInstance: (phone) => {
    phone.sdk = LinkForty.shared(phone.platform);
  },
  reset: ({ sdk }) => sdk.reset(),
  clearData: ({ sdk }) => sdk.clearData(),

  onDeferredDeepLink: ({ sdk }, { handle }, app) => sdk.onDeferredDeepLink((link) => app.callback(handle, link)),
  getInstallId: ({ sdk }) => sdk.getInstallId(),
  getInstallData: ({ sdk }) => sdk.getInstallData(),
  isFirstLaunch: ({ sdk }) => sdk.isFirstLaunch(),

  onDeepLink: ({ sdk }, { handle }, app) => sdk.onDeepLink((link) => app.callback(handle, link)),
  handleUrl: ({ sdk }, { url }) => sdk.handleUrl(url),
  emitPlatformUrl: (phone, { url }) => phone.say(phone.ears, url),

  trackEvent: ({ sdk }, { name, properties }) => sdk.trackEvent(name, properties),
  trackRevenue: ({ sdk }, { amount, currency, properties }) => sdk.trackRevenue(amount, currency, properties),
  flush: ({ sdk }) => sdk.flush(),
  queueSize: ({ sdk }) => sdk.queueSize(),
  clearQueue: ({ sdk }) => sdk.clearQueue(),
  setNetwork: (phone, { online }) => phone.say(phone.networkEars, online),

  createLink: ({ sdk }, { options }) => sdk.createLink(options),
  setExternalUserId: ({ sdk }, { id }) => sdk.setExternalUserId(id),
  getExternalUserId: ({ sdk }) => sdk.getExternalUserId(),

  setDevice: (phone, device) => phone.changeDevice(device),
  surroundings: (phone, facts) => phone.changeDevice(facts),
  corruptStorage: (phone, { what }) => phone.corrupt(what === 'installData' ? 'install' : 'queue'),
};

export function errorOf(error) {
  if (!(error instanceof LinkFortyError)) return { kind: 'generic' };
  return { kind: KINDS[error.code], status: error.code === 'server' ? error.status : undefined };
}
