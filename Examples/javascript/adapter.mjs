// The adapter of the LinkForty SDK in this folder: one function a command.
import fs from 'node:fs';
import path from 'node:path';
import { CAPABILITIES } from './capabilities.mjs';
import { serve } from './conformance/adapter.mjs';
import { seededUuids } from './conformance/lot.mjs';
import { LinkForty, LinkFortyError, NodeTransport } from './linkforty/index.mjs';

/** The words of the protocol for what the SDK calls a code. */
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

/** A phone, since the SDK is made for apps on phones. `environment` and setDevice change it. */
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

// Only for who wants to see the kit find something: breaks the SDK, or has it choose differently. See defects.mjs, and
// profiles.yaml for many changes at once.
const { CONFORM_DEFECT: defect, CONFORM_VARIANT: variant, CONFORM_PROFILE: profile } = process.env;
const changes = [
  profile && (await import('./profiles.mjs')).arrangeProfile(profile, CAPABILITIES),
  (defect || variant) && (await import('./defects.mjs')).arrange(defect, variant),
].filter(Boolean);
const choices = Object.assign({}, ...changes.map((change) => change.choices));
const without = changes.flatMap((change) => change.without);
const declares = changes.some((change) => change.declares) && Object.assign({}, ...changes.map((change) => change.declares));
const otherCommands = Object.assign({}, ...changes.map((change) => change.commands));

/** A running app: the SDK, and what stands around it. */
class Phone {
  /** who listens to the platform */
  ears = new Set();
  networkEars = new Set();

  constructor({ storage, clock, seed, environment }) {
    const { initialUrl, ...device } = environment;
    this.folder = storage;
    this.device = { ...PHONE, ...device };
    this.transport = new NodeTransport();
    this.platform = {
      folder: storage,
      device: () => this.device,
      transport: { send: (request) => clock.request(() => this.transport.send(request)) },
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

  /** Overwrites one part of what is stored, behind the back of the SDK. */
  corrupt(name) {
    const file = path.join(this.folder, 'linkforty.json');
    if (!fs.existsSync(file)) return fs.writeFileSync(path.join(this.folder, `linkforty-${name}`), GARBAGE);
    const parts = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(file, JSON.stringify({ ...parts, [name]: GARBAGE }));
  }

  close() {
    this.sdk.close();
    this.transport.close();
  }
}

const GARBAGE = '{"\u0000[,';

function listen(ears, hear) {
  ears.add(hear);
  return () => ears.delete(hear);
}

serve({
  hello: {
    protocol: 'linkforty',
    specRevision: '2026-03-12',
    sdk: { name: 'linkforty-javascript', version: '1.0.0', language: 'javascript', platform: 'android' },
    capabilities: CAPABILITIES.filter((name) => !without.includes(name)),
    ...(declares ? { declares } : {}),
    clocks: ['virtual', 'scaled', 'real'],
    instances: 'many',
  },

  open: (app) => new Phone(app),
  close: (phone) => phone.close(),
  errorOf: changes.find((change) => change.errorOf)?.errorOf ?? errorOf,

  commands: {
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
    ...otherCommands,
  },
});

function errorOf(error) {
  if (!(error instanceof LinkFortyError)) return { kind: 'generic' };
  return { kind: KINDS[error.code], status: error.code === 'server' ? error.status : undefined };
}
