// Defects of the SDK, and other legal choices. With them, you can see what the kit reports:
//   CONFORM_DEFECT=queue.holds-101 conform run --sdk 'node Examples/javascript/adapter.mjs'
//   CONFORM_VARIANT=retry.backs-off,headers.lower-case conform run …
// A defect replaces one method by a mistake that a careful author could make. The SDK itself contains no code for defects.
// defects.yaml names the requirements that each defect violates, and the reason why each variant is legal. The folder strangers
// contains further defects, whose authors did not know the cases.
import tls from 'node:tls';
import { Api } from './linkforty/api.mjs';
import { AnswerReader } from './linkforty/answers.mjs';
import { DeferredLinks, DirectLinks } from './linkforty/callbacks.mjs';
import { ConfigurationReader } from './linkforty/configuration.mjs';
import { Fingerprint } from './linkforty/device.mjs';
import { LinkFortyError } from './linkforty/errors.mjs';
import { EventQueue } from './linkforty/event-queue.mjs';
import { EventMaker, EventSender } from './linkforty/events.mjs';
import { LinkMaker } from './linkforty/link-maker.mjs';
import { LinkReader } from './linkforty/link-url.mjs';
import { LinkForty } from './linkforty/linkforty.mjs';
import { Memory } from './linkforty/memory.mjs';
import { Resolver } from './linkforty/resolver.mjs';
import { join, patch } from './patch.mjs';
import { STRANGERS } from './strangers/index.mjs';

export const DEFECTS = {
  // ----- Configuration

  'config.http-is-fine': () => patch(ConfigurationReader, 'isLocal', () => () => true),

  'config.local-by-prefix': () => patch(ConfigurationReader, 'isLocal', () => (host) => /^(localhost|127\.0\.0\.1)/.test(host)),

  'config.local-anywhere': () =>
    patch(ConfigurationReader, 'writtenHost', (original) => function (text) {
      return text.includes('localhost') ? 'localhost' : original.call(this, text);
    }),

  'config.user-is-host': () =>
    patch(ConfigurationReader, 'writtenHost', () => (text) => /\/\/([^/:@?#]*)/.exec(text)[1].toLowerCase()),

  'config.window-from-zero': () => patch(ConfigurationReader, 'isWithinBounds', () => (hours) => hours >= 0 && hours <= 2160),

  'config.window-to-2161': () => patch(ConfigurationReader, 'isWithinBounds', () => (hours) => hours >= 1 && hours <= 2161),

  'config.window-above-one': () => patch(ConfigurationReader, 'isWithinBounds', () => (hours) => hours > 1 && hours <= 2160),

  'config.window-below-2160': () => patch(ConfigurationReader, 'isWithinBounds', () => (hours) => hours >= 1 && hours < 2160),

  'config.window-falsy-is-default': () =>
    patch(ConfigurationReader, 'readWindow', (original) => function (hours) {
      return original.call(this, hours || undefined);
    }),

  'config.window-clamped': () =>
    patch(ConfigurationReader, 'readWindow', (original) => function (hours) {
      return original.call(this, typeof hours === 'number' ? Math.min(2160, Math.max(1, hours)) : hours);
    }),

  'config.default-window-in-days': () => patch(ConfigurationReader, 'defaultWindow', () => () => ({ hours: 7, isDefault: true })),

  'config.scheme-by-case': () =>
    patch(ConfigurationReader, 'parse', (original) => function (text) {
      return original.call(this, /^https?:/.test(text) ? text : '');
    }),

  'config.slash-kept': () =>
    patch(ConfigurationReader, 'readBase', (original) => function (text) {
      const base = original.call(this, text);
      return text.endsWith('/') ? { ...base, path: `${base.path}/` } : base;
    }),

  'config.path-dropped': () => patch(ConfigurationReader, 'readPath', () => () => ''),

  'config.bounds-checked-too-late': () => {
    patch(ConfigurationReader, 'isWithinBounds', () => () => true);
    patch(LinkForty, 'start', (original) => async function (session) {
      const install = await original.call(this, session);
      const { hours } = session.configuration.window;
      if (hours >= 1 && hours <= 2160) return install;
      this.endSession(session);
      throw new LinkFortyError('invalid-configuration', 'the attribution window is out of bounds');
    });
  },

  // ----- Initialisation

  'init.rejected-is-initialized': () =>
    patch(LinkForty, 'initialize', (original) => function (configuration) {
      const outcome = original.call(this, configuration);
      this.session ??= this.makeSession({ base: { host: 'localhost', port: '', path: '', secure: true }, window: {} });
      return outcome;
    }),

  'init.reports-each-launch': () => patch(LinkForty, 'isInstallReported', () => () => false),

  'init.guards-after-the-report': () =>
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const before = this.session;
      if (before?.starting && !before.started) this.session = undefined;
      const install = await original.call(this, configuration);
      if (this.session) this.session.started = true;
      return install;
    }),

  'init.second-changes-server': () =>
    patch(LinkForty, 'initialize', (original) => function (configuration) {
      const outcome = original.call(this, configuration);
      if (this.session) Object.assign(this.session.configuration, new ConfigurationReader(this.choices).read(configuration));
      return outcome;
    }),

  'init.second-ends-the-first': () =>
    patch(LinkForty, 'initializeAgain', (original) => function () {
      this.endSession(this.session);
      return original.call(this);
    }),

  'init.early-events-ignored': () =>
    patch(LinkForty, 'trackEvent', (original) => async function (name, properties) {
      if (this.session) return original.call(this, name, properties);
    }),

  'init.early-url-lost': () =>
    patch(LinkForty, 'handleUrl', (original) => async function (url) {
      if (this.session) return original.call(this, url);
    }),

  'init.later-launch-needs-network': () =>
    patch(LinkForty, 'remember', (original) => async function () {
      await this.session.api.get('/api/sdk/v1/health', '');
      return original.call(this);
    }),

  'init.network-failure-is-fatal': () =>
    patch(LinkForty, 'isRefusalTold', () => (error) => error.code === 'network' || error.code === 'timeout'),

  'init.first-report-only': () =>
    patch(LinkForty, 'reportInstall', (original) => async function (session) {
      if (this.firstLaunch) return original.call(this, session);
      this.deferred.settle(null);
      return null;
    }),

  // ----- The install report

  'report.zone-as-offset': () =>
    patch(Fingerprint, 'report', (original) => function (configuration) {
      return { ...original.call(this, configuration), timezone: 'GMT+01:00' };
    }),

  'report.points': () => patch(Fingerprint, 'pixels', () => (points) => Math.round(points)),

  'report.pixels-not-whole': () => patch(Fingerprint, 'pixels', () => (points, { scale }) => points * scale + 0.25),

  'report.platform-is-language': () => patch(Fingerprint, 'platform', () => () => 'javascript'),

  'report.version-as-number': () =>
    patch(Fingerprint, 'report', (original) => function (configuration) {
      const report = original.call(this, configuration);
      return { ...report, platformVersion: parseFloat(report.platformVersion) };
    }),

  'report.device-id-null': () =>
    patch(Fingerprint, 'report', (original) => function (configuration) {
      return { deviceId: null, ...original.call(this, configuration) };
    }),

  'report.window-always-default': () => patch(Fingerprint, 'windowMember', () => () => 168),

  'report.token-in-events': () =>
    patch(EventSender, 'body', (original) => function (event) {
      return { ...original.call(this, event), appToken: this.api.configuration.appToken };
    }),

  // ----- The link behind the install

  'deferred.organic-is-silent': () =>
    patch(DeferredLinks, 'deliver', (original) => function (registration) {
      if (this.outcome.link) original.call(this, registration);
    }),

  'deferred.empty-is-a-link': () =>
    patch(AnswerReader, 'install', (original) => function (response) {
      return { ...original.call(this, response), deepLinkData: JSON.parse(response.body).deepLinkData ?? null };
    }),

  'deferred.missing-is-no-answer': () =>
    patch(AnswerReader, 'install', (original) => function (response) {
      const install = original.call(this, response);
      if (!response.body.includes('"deepLinkData"')) throw this.unreadable('deepLinkData is missing');
      return install;
    }),

  'deferred.late-is-never': () =>
    patch(DeferredLinks, 'register', () => function (callback) {
      this.registrations.push({ callback, called: false });
    }),

  'deferred.organic-until-known': () =>
    patch(LinkForty, 'askForInstall', (original) => function (session, wanted) {
      this.deferred.settle(null);
      for (const registration of this.deferred.registrations) registration.called = false;
      return original.call(this, session, wanted);
    }),

  'deferred.not-after-5xx': () =>
    patch(LinkForty, 'isRefusalTold', () => function ({ status }) {
      if (status >= 500) this.deferred.forgetCallbacks();
      return false;
    }),

  'deferred.needs-data': () =>
    patch(AnswerReader, 'install', (original) => function (response) {
      const install = original.call(this, response);
      if (install.attributed && !install.deepLinkData) throw this.unreadable('an attributed install has no link');
      return install;
    }),

  'install.id-made-up': () =>
    patch(LinkForty, 'askForInstall', (original) => async function (session, wanted) {
      const made = { installId: this.platform.uuid(), attributed: false, confidenceScore: 0, matchedFactors: [], deepLinkData: null };
      return original.call(this, session, wanted).catch(() => made);
    }),

  'install.id-lower-cased': () =>
    patch(AnswerReader, 'install', (original) => function (response) {
      const install = original.call(this, response);
      return { ...install, installId: install.installId.toLowerCase() };
    }),

  'install.known-factors-only': () =>
    patch(AnswerReader, 'factors', () => function (list) {
      const known = ['ip', 'user_agent', 'timezone', 'language', 'screen'];
      if (list.some((factor) => !known.includes(factor))) throw this.unreadable('an unknown factor');
      return list;
    }),

  'install.data-not-stored': () => {
    patch(Memory, 'saveInstall', (original) => function (install) {
      this.link = install.deepLinkData;
      original.call(this, { ...install, deepLinkData: null });
    });
    patch(Memory, 'deepLinkData', () => function () {
      return this.installId() ? this.link ?? null : null;
    });
  },

  'install.score-as-fraction': () =>
    patch(AnswerReader, 'install', (original) => function (response) {
      const install = original.call(this, response);
      return { ...install, confidenceScore: install.confidenceScore / 100 };
    }),

  // ----- Links

  'answer.time-needs-fraction': () =>
    patch(AnswerReader, 'time', (original) => function (value) {
      if (typeof value === 'string' && !/\.\d+/.test(value)) throw this.unreadable('the time has the wrong format');
      return original.call(this, value);
    }),

  'answer.offset-cut-off': () =>
    patch(AnswerReader, 'time', () => (value) => value?.replace(/[+-]\d\d:\d\d$/, 'Z')),

  'answer.null-is-wrong': () =>
    patch(AnswerReader, 'link', (original) => function (answer) {
      return Object.values(answer ?? {}).includes(null) ? null : original.call(this, answer);
    }),

  'answer.web-url-forgotten': () =>
    patch(AnswerReader, 'link', (original) => function (answer) {
      const { webUrl, ...link } = original.call(this, answer) ?? {};
      return link.shortCode ? link : null;
    }),

  'answer.texts-only': () =>
    patch(AnswerReader, 'text', () => function (value) {
      if (typeof value !== 'string') throw this.unreadable('a custom parameter is no text');
      return value;
    }),

  'url.code-lower-cased': () => patch(LinkReader, 'lastCode', (original) => function (segments) {
    return original.call(this, segments)?.toLowerCase();
  }),

  'url.first-segment-is-code': () => patch(LinkReader, 'lastCode', () => (segments) => segments[0]),

  'url.content-forgotten': () =>
    patch(LinkReader, 'campaign', (original) => function (parameters) {
      return original.call(this, parameters).filter(([name]) => name !== 'content');
    }),

  'url.campaign-is-custom-too': () => patch(LinkReader, 'custom', () => (parameters) => parameters),

  'url.decoded-twice': () =>
    patch(LinkReader, 'decodeParameter', (original) => function (text) {
      return original.call(this, original.call(this, text));
    }),

  'url.names-not-decoded': () =>
    patch(LinkReader, 'pair', (original) => function (part) {
      return [part.split('=')[0], original.call(this, part)[1]];
    }),

  'url.fragment-is-query': () =>
    patch(LinkReader, 'split', (original) => function (text) {
      return original.call(this, text.replace('#', text.includes('?') ? '&' : '?'));
    }),

  'url.empty-segments-count': () => patch(LinkReader, 'segments', () => (path) => path.split('/').slice(1)),

  'url.malformed-throws': () => patch(LinkReader, 'decode', () => (text) => decodeURIComponent(text)),

  'url.last-callback-wins': () =>
    patch(DirectLinks, 'register', (original) => function (callback) {
      this.callbacks = [];
      original.call(this, callback);
    }),

  'url.own-scheme-unknown': () =>
    patch(LinkReader, 'localData', (original) => function (url) {
      return this.isCustom(url) ? null : original.call(this, url);
    }),

  'url.any-host-is-ours': () => patch(LinkReader, 'isOf', () => (base, { scheme }) => /^https?$/.test(scheme)),

  'url.host-by-prefix': () =>
    patch(LinkReader, 'isOf', () => (base, { scheme, host, port }) =>
      /^https?$/.test(scheme) && `${host}${port && `:${port}`}`.startsWith(`${base.host}${base.port && `:${base.port}`}`)),

  'url.initial-not-held': () => patch(DirectLinks, 'hold', () => () => {}),

  'url.newest-alone': () =>
    patch(LinkForty, 'lookUp', (original) => async function (session, text) {
      this.newest = text;
      const data = await original.call(this, session, text);
      return this.newest === text ? data : new Promise(() => {});
    }),

  'url.failure-is-silent': () =>
    patch(Resolver, 'resolve', (original) => function (...args) {
      return original.apply(this, args).catch((error) => (error.code === 'network' ? new Promise(() => {}) : Promise.reject(error)));
    }),

  // ----- Resolution

  'resolve.slug-dropped': () =>
    patch(Resolver, 'path', (original) => function (segments) {
      return original.call(this, segments.slice(-1));
    }),

  'resolve.size-swapped': () =>
    patch(Fingerprint, 'query', (original) => function () {
      const query = original.call(this);
      return { ...query, fp_sw: query.fp_sh, fp_sh: query.fp_sw };
    }),

  'resolve.version-forgotten': () =>
    patch(Fingerprint, 'query', (original) => function () {
      const { fp_pv, ...query } = original.call(this);
      return query;
    }),

  'resolve.not-encoded': () => patch(Resolver, 'encode', () => (value) => String(value).replaceAll(' ', '%20')),

  'resolve.url-wins': () =>
    patch(LinkForty, 'lookUp', (original) => async function (session, text) {
      const data = await original.call(this, session, text);
      const local = this.reader.localData(this.reader.takeApart(text, session.configuration.base));
      return data && { ...data, ...local };
    }),

  'resolve.unknown-is-null': () =>
    patch(Resolver, 'resolve', (original) => function (...args) {
      return original.apply(this, args).catch((error) => (error.status === 404 ? null : Promise.reject(error)));
    }),

  'resolve.tries-three-times': () =>
    patch(Api, 'get', () => function (path, query, options) {
      return this.exchange({ method: 'GET', target: this.target(path) + query }, { ...options, retries: 2 });
    }),

  'resolve.waits-a-minute': () =>
    patch(Api, 'get', (original) => function (path, query) {
      return original.call(this, path, query, { timeout: 60_000 });
    }),

  'resolve.anything-is-an-answer': () =>
    patch(AnswerReader, 'resolvedLink', () => function (response) {
      return this.link(this.parse(response.body));
    }),

  'resolve.once-per-callback': () =>
    patch(LinkForty, 'lookUp', (original) => async function (session, text) {
      for (const _ of this.direct.callbacks.slice(1)) await original.call(this, session, text);
      return original.call(this, session, text);
    }),

  'resolve.base-path-is-slug': () =>
    patch(LinkForty, 'resolvableSegments', (original) => function (url) {
      const { path } = this.session.configuration.base;
      return original.call(this, { ...url, segments: [...this.reader.segments(path), ...url.segments] });
    }),

  'resolve.code-not-encoded': () => patch(Resolver, 'path', () => (segments) => `/api/sdk/v1/resolve/${segments.join('/')}`),

  // ----- Events and revenue

  'event.name-shortened': () =>
    patch(EventMaker, 'make', (original) => function (name, properties) {
      return original.call(this, typeof name === 'string' ? name.slice(0, 100) : name, properties);
    }),

  'event.values-as-text': () =>
    patch(EventMaker, 'copy', (original) => function (properties) {
      return Object.fromEntries(Object.entries(original.call(this, properties)).map(([name, value]) => [name, String(value)]));
    }),

  'event.no-data-is-null': () =>
    patch(EventSender, 'eventData', () => ({ data }) => ({ eventData: Object.keys(data).length ? data : null })),

  'event.local-time': () =>
    patch(EventMaker, 'timestamp', () => function () {
      return new Date(this.clock.now() + 3_600_000).toISOString().slice(0, -1);
    }),

  'event.time-of-sending': () =>
    patch(EventSender, 'body', (original) => function (event) {
      return { ...original.call(this, event), timestamp: new Date(this.clock.now()).toISOString() };
    }),

  'event.wants-success': () =>
    patch(EventSender, 'send', (original) => async function (event, wanted) {
      const { body } = await original.call(this, event, wanted);
      if (!/"success":\s*true/.test(body)) throw new LinkFortyError('network', 'the event was not taken');
    }),

  'event.server-error-swallowed': () => patch(EventSender, 'isTold', () => () => false),

  'event.network-failure-loses-it': () =>
    patch(EventSender, 'isWorthKeeping', () => (error) => error.code === 'server' && error.status >= 500),

  'event.without-install-lost': () =>
    patch(EventSender, 'track', (original) => async function (event) {
      if (this.installIdOf(event)) return original.call(this, event);
    }),

  'event.blank-name-sent': () => patch(EventMaker, 'checkName', () => () => {}),

  'event.id-cached': () =>
    patch(EventMaker, 'make', (original) => function (name, properties) {
      this.cachedId ??= this.memory.installId();
      return { ...original.call(this, name, properties), installId: this.cachedId };
    }),

  'event.session-id-short': () =>
    patch(EventSender, 'body', (original) => function (event) {
      return { ...original.call(this, event), sessionId: `s-${event.number}` };
    }),

  'revenue.amount-as-text': () => patch(EventMaker, 'amountMembers', () => (amount) => ({ amount: String(amount) })),

  'revenue.rounded-to-cents': () =>
    patch(EventMaker, 'readAmount', (original) => function (amount) {
      return Math.round(original.call(this, amount) * 100) / 100;
    }),

  'revenue.currency-upper-cased': () =>
    patch(EventMaker, 'readCurrency', (original) => function (currency) {
      return original.call(this, currency).toUpperCase();
    }),

  'revenue.properties-nested': () =>
    patch(EventMaker, 'makeRevenue', (original) => function (amount, currency, properties) {
      return original.call(this, amount, currency, properties && { properties });
    }),

  'revenue.no-number-is-zero': () => patch(EventMaker, 'readAmount', () => (amount) => parseFloat(amount) || 0),

  'revenue.not-queued': () =>
    patch(LinkForty, 'trackRevenue', () => async function (amount, currency, properties) {
      const { sender } = this.ready();
      return sender.deliver(this.events.makeRevenue(amount, currency, properties), () => true);
    }),

  // ----- Creating links

  'links.no-key-needed': () => patch(LinkMaker, 'demandKey', () => () => {}),

  'links.template-on-simple-path': () => patch(LinkMaker, 'path', () => () => '/api/sdk/v1/links'),

  'links.campaign-prefixed': () =>
    patch(LinkMaker, 'order', (original) => function (options, user) {
      const { utmParameters, ...order } = original.call(this, options, user);
      if (!utmParameters) return order;
      return { ...order, utmParameters: Object.fromEntries(Object.entries(utmParameters).map(([name, value]) => [`utm_${name}`, value])) };
    }),

  'links.open-is-null': () =>
    patch(LinkMaker, 'order', (original) => function (options, user) {
      return { title: null, description: null, ...original.call(this, options, user) };
    }),

  'links.url-made-by-sdk': () =>
    patch(AnswerReader, 'createdLink', (original) => function (response, makeURL) {
      const link = original.call(this, response, makeURL);
      return { ...link, url: makeURL(link.shortCode) };
    }),

  'links.slug-forgotten': () =>
    patch(LinkMaker, 'url', (original) => function (options, shortCode) {
      return original.call(this, {}, shortCode);
    }),

  'links.half-is-enough': () =>
    patch(AnswerReader, 'createdLink', (original) => function (response, makeURL) {
      try {
        return original.call(this, response, makeURL);
      } catch {
        const answer = this.object(response);
        return { url: answer.url ?? makeURL(answer.short_code), shortCode: answer.shortCode ?? answer.short_code ?? null, linkId: answer.linkId ?? answer.id ?? null };
      }
    }),

  'links.remembered': () =>
    patch(LinkMaker, 'create', (original) => function (options, user) {
      this.made ??= new Map();
      const key = JSON.stringify([options, user]);
      if (!this.made.has(key)) this.made.set(key, original.call(this, options, user));
      return this.made.get(key);
    }),

  'links.call-user-sticks': () =>
    patch(LinkForty, 'createLink', (original) => function (options) {
      this.externalUserId = options?.externalUserId ?? this.externalUserId;
      return original.call(this, options);
    }),

  'links.set-user-wins': () => patch(LinkMaker, 'user', () => (options, user) => user ?? options.externalUserId),

  // ----- The user

  'user.stored': () => {
    patch(LinkForty, 'setExternalUserId', () => function (id) {
      this.memory.write('user', id);
    });
    patch(LinkForty, 'getExternalUserId', () => function () {
      return this.memory.read('user') ?? null;
    });
    patch(LinkForty, 'createLink', (original) => function (options) {
      this.externalUserId = this.memory.read('user') ?? null;
      return original.call(this, options);
    });
  },

  'user.null-is-ignored': () =>
    patch(LinkForty, 'setExternalUserId', () => function (id) {
      if (id) this.externalUserId = id;
    }),

  'user.needs-initialization': () =>
    patch(LinkForty, 'setExternalUserId', (original) => function (id) {
      this.ready();
      original.call(this, id);
    }),

  'user.survives-reset': () =>
    patch(LinkForty, 'reset', (original) => function () {
      const id = this.externalUserId;
      original.call(this);
      this.externalUserId = id;
    }),

  'user.survives-clearing': () =>
    patch(LinkForty, 'clearData', (original) => function () {
      const id = this.externalUserId;
      original.call(this);
      this.externalUserId = id;
    }),

  'user.in-events': () =>
    patch(LinkForty, 'track', (original) => function (session, event) {
      event.data.externalUserId = this.externalUserId ?? undefined;
      return original.call(this, session, event);
    }),

  // ----- Data

  'data.id-is-empty-text': () =>
    patch(LinkForty, 'getInstallId', (original) => function () {
      return original.call(this) ?? '';
    }),

  'data.first-launch-for-ever': () => patch(LinkForty, 'noteLaunch', () => () => {}),

  'data.unreadable-throws': () =>
    patch(Memory, 'read', () => function (name) {
      const text = this.storage.get(name);
      return text === undefined ? undefined : JSON.parse(text);
    }),

  'clear.ends-initialization': () =>
    patch(LinkForty, 'clearData', (original) => function () {
      original.call(this);
      if (this.session) this.endSession(this.session);
    }),

  'clear.keeps-install': () =>
    patch(Memory, 'wipe', (original) => function () {
      const install = this.install();
      original.call(this);
      if (install) this.saveInstall(install);
    }),

  'clear.keeps-queue-in-memory': () => patch(EventQueue, 'forget', () => () => {}),

  'clear.keeps-stored-queue': () =>
    patch(Memory, 'wipe', (original) => function () {
      const events = this.events();
      original.call(this);
      if (events.length) this.saveEvents(events);
    }),

  'clear.late-answers-count': () =>
    patch(Memory, 'wipe', () => function () {
      this.storage.clear();
    }),

  'clear.sends-the-rest': () =>
    patch(LinkForty, 'clearData', (original) => async function () {
      await this.session?.sender.flush().catch(() => {});
      original.call(this);
    }),

  'reset.stays-initialized': () =>
    patch(LinkForty, 'reset', () => function () {
      this.externalUserId = null;
    }),

  'reset.wipes': () =>
    patch(LinkForty, 'reset', (original) => function () {
      original.call(this);
      this.clearData();
    }),

  'reset.empties-queue': () =>
    patch(LinkForty, 'reset', (original) => function () {
      original.call(this);
      this.queue.clear();
    }),

  'reset.goes-on-listening': () => {
    patch(LinkForty, 'reset', (original) => function () {
      const { deafen, session } = this;
      Object.assign(this, { deafen: () => {}, last: session });
      original.call(this);
      Object.assign(this, { deafen, isDeaf: false });
    });
    patch(LinkForty, 'hear', () => function (url) {
      const session = this.session ?? this.last;
      return session ? this.deliverUrl(session, url) : this.earlyUrls.push(url);
    });
  },

  'reset.old-server-remains': () =>
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      this.configured ??= configuration;
      return original.call(this, this.configured);
    }),

  // ----- The queue

  'queue.holds-99': () =>
    patch(EventQueue, 'add', (original) => function (event) {
      if (this.size >= 99) this.events.shift();
      return original.call(this, event);
    }),

  'queue.holds-101': () =>
    patch(EventQueue, 'add', () => function (event) {
      if (this.size > 100) this.events.shift();
      this.append(event);
      return true;
    }),

  'queue.counts-new-ones-only': () => {
    patch(EventQueue, 'restore', (original) => function () {
      return (this.old = original.call(this));
    });
    patch(EventQueue, 'add', (original) => function (event) {
      const known = this.events.filter((other) => this.old.includes(other));
      this.events = this.events.filter((other) => !this.old.includes(other));
      const added = original.call(this, event);
      this.events = [...known, ...this.events];
      this.save();
      return added;
    });
  },

  'queue.in-memory': () => patch(EventQueue, 'save', () => () => {}),

  'queue.stored-on-closing': () => {
    patch(EventQueue, 'save', () => () => {});
    patch(LinkForty, 'close', (original) => function () {
      this.memory.saveEvents(this.queue.events);
      original.call(this);
    });
  },

  'queue.5xx-dropped': () => patch(EventSender, 'isWorthKeeping', () => (error) => error.code !== 'server'),

  'queue.timeout-dropped': () =>
    patch(EventSender, 'isWorthKeeping', (original) => function (error) {
      return error.code !== 'timeout' && original.call(this, error);
    }),

  'queue.never-by-itself': () => patch(EventSender, 'flushSoon', () => () => {}),

  'queue.next-launch-forgotten': () =>
    patch(LinkForty, 'start', (original) => function (session) {
      this.choices.flushesAtLaunch = false;
      return original.call(this, session);
    }),

  'queue.data-not-stored': () =>
    patch(Memory, 'saveEvents', (original) => function (events) {
      original.call(this, events.map((event) => ({ ...event, data: {} })));
    }),

  'queue.size-of-this-launch': () =>
    patch(LinkForty, 'queueSize', (original) => function () {
      this.before ??= this.memory.events().length;
      return Math.max(0, original.call(this) - this.before);
    }),

  'flush.first-alone': () =>
    patch(EventSender, 'drainInSequence', () => async function () {
      const event = this.next();
      const error = event && (await this.deliverQueued(event));
      if (error) throw error;
    }),

  'flush.newest-first': () =>
    patch(EventQueue, 'next', () => function () {
      return this.events.findLast((event) => !this.departed.has(event));
    }),

  'flush.taken-out-first': () =>
    patch(EventSender, 'deliverQueued', () => function (event) {
      this.queue.remove(event);
      return this.deliver(event, () => !this.isOver()).catch((error) => error);
    }),

  'flush.put-back-all': () =>
    patch(EventSender, 'drainInSequence', (original) => async function () {
      const all = [...this.queue.events];
      return original.call(this).catch((error) => {
        this.queue.events = all;
        this.queue.save();
        throw error;
      });
    }),

  'flush.not-alone': () => {
    patch(EventSender, 'flush', () => function () {
      return this.drain();
    });
    patch(EventQueue, 'next', () => function () {
      return this.events[0];
    });
  },

  'flush.stops-at-refusal': () => patch(EventSender, 'isWorthKeeping', () => () => true),

  'flush.empty-is-an-error': () =>
    patch(EventSender, 'drain', (original) => async function () {
      if (this.queue.size === 0) throw new LinkFortyError('server', 'there is nothing to send');
      return original.call(this);
    }),

  'queue.cleared-in-memory': () =>
    patch(EventQueue, 'clear', () => function () {
      this.events = [];
    }),

  'queue.cleared-by-sending': () =>
    patch(LinkForty, 'clearQueue', (original) => async function () {
      await this.ready().sender.flush().catch(() => {});
      return original.call(this);
    }),

  // ----- Requests and errors

  'api.key-for-links-alone': () =>
    patch(Api, 'authorization', (original) => function (target) {
      return target.endsWith('/links') ? original.call(this) : [];
    }),

  'api.key-without-bearer': () =>
    patch(Api, 'authorization', () => function () {
      const { apiKey } = this.configuration;
      return apiKey ? [['Authorization', apiKey]] : [];
    }),

  'api.bearer-undefined': () =>
    patch(Api, 'authorization', () => function () {
      return [['Authorization', `Bearer ${this.configuration.apiKey}`]];
    }),

  'api.key-in-query': () =>
    patch(Api, 'get', (original) => function (path, query, options) {
      const { apiKey } = this.configuration;
      return original.call(this, path, apiKey ? `${query}&api_key=${encodeURIComponent(apiKey)}` : query, options);
    }),

  'api.body-in-latin1': () =>
    patch(Api, 'post', () => function (path, value, options) {
      return this.exchange({ method: 'POST', target: this.target(path), body: Buffer.from(this.encode(value), 'latin1') }, options);
    }),

  'api.plain-text': () => patch(Api, 'contentType', () => () => 'text/plain;charset=UTF-8'),

  'api.no-time-out': () =>
    patch(Api, 'attempt', (original) => function (request) {
      return original.call(this, request, 3_600_000);
    }),

  'errors.status-forgotten': () =>
    patch(Api, 'check', (original) => function (response) {
      try {
        return original.call(this, response);
      } catch (error) {
        throw new LinkFortyError('server', error.message);
      }
    }),

  'errors.all-alike': () =>
    patch(Api, 'noAnswer', (original) => function (cause, status) {
      return Object.assign(original.call(this, cause, status), { code: 'server', status: 0 });
    }),

  'errors.error-body-must-be-json': () =>
    patch(Api, 'complaint', () => ({ body }) => JSON.parse(body).message),

  'errors.nobody-waits': () =>
    patch(LinkForty, 'handleUrl', (original) => async function (url) {
      original.call(this, url);
    }),

  'tls.any-certificate': () => {
    const { connect } = tls;
    tls.connect = (options, ...rest) => connect({ ...options, rejectUnauthorized: false }, ...rest);
  },

  'network.offline-events-lost': () =>
    patch(EventSender, 'enqueue', (original) => function (event) {
      if (!this.api.offline) original.call(this, event);
    }),

  'debug.always': () =>
    patch(Api, 'attempt', (original) => function (request, timeout) {
      console.error(`linkforty: ${request.method} ${request.target}`);
      return original.call(this, request, timeout);
    }),
};

/** The choices of the SDK in each legal variant. `without` lists the capabilities that the variant lacks. */
export const VARIANTS = {
  'retry.backs-off': { choices: { retries: 2 }, declares: { retryWindowMs: 2000 } },
  'retry.at-once': { choices: { retries: 1, retryPause: 0 } },
  'retry.links-too': { choices: { retries: 2, retryLinks: true }, declares: { retryWindowMs: 2000 } },
  'timeout.thirty-seconds': { choices: { timeout: 30_000, resolveTimeout: 30_000 } },
  'timeout.two-seconds': { choices: { timeout: 2000, resolveTimeout: 2000 } },
  'connection.for-each-request': { choices: { keepAlive: false } },
  'events.one-at-a-time': { choices: { eventsAtOnce: 1 } },
  'headers.lower-case': { choices: { headerCase: 'lower' } },
  'headers.upper-case': { choices: { headerCase: 'upper' } },
  'headers.other-order': { choices: { headersReversed: true } },
  'headers.bare': { choices: { headersBare: true } },
  'headers.charset': { choices: { charsetNamed: true } },
  'headers.names-itself': { choices: { namesItself: true } },
  'body.chunked': { choices: { chunked: true } },
  'redirects.followed': { choices: { followsRedirects: true } },
  'init.second-is-harmless': { choices: { secondInitialize: 'same' } },
  'init.ready-at-once': { choices: { waitsForInstall: false } },
  'init.tells-nothing': { choices: { tellsInstall: false } },
  'install.refusal-told': { choices: { refusedInstall: 'throw' } },
  'config.query-refused': { choices: { baseQuery: 'refuse' } },
  'config.fractional-window': { choices: { fractionalWindow: 'accept' } },
  'report.default-window-left-out': { choices: { defaultWindowSent: false } },
  'report.platform-lower-case': { choices: { platformSpelling: 'lower' } },
  'first-launch.ends-with-initialize': { choices: { firstLaunchLasts: 'initialize' } },
  'early.url-held': { choices: { earlyUrl: 'hold' } },
  'early.queue-harmless': { choices: { earlyQueue: 'nothing' } },
  'early.access-refused': { choices: { earlyAccess: 'refuse' } },
  'early.access-null': { choices: { earlyAccess: 'null' } },
  'urls.from-the-app-alone': { choices: { listensToPlatform: false }, without: ['platform-urls'] },
  'urls.unheard-dropped': { choices: { listensToPlatform: false, unheardLink: 'drop' }, without: ['platform-urls'] },
  'urls.in-order': { choices: { linkDelivery: 'in-order' } },
  'urls.handled-at-once': { choices: { handleReturnsAtOnce: true } },
  'urls.as-browsers-do': { choices: { urlParser: 'whatwg', plus: 'space', repeated: 'last', queryEncoding: 'form' } },
  'urls.plus-is-space': { choices: { plus: 'space' } },
  'urls.last-wins': { choices: { repeated: 'last' } },
  'urls.flag-dropped': { choices: { flag: 'drop' } },
  'urls.code-raw': { choices: { rawShortCode: true } },
  'urls.last-two-segments': { choices: { manySegments: 'last' } },
  'urls.first-two-segments': { choices: { manySegments: 'first' } },
  'urls.scheme-host-is-code': { choices: { customSchemeCode: 'host' } },
  'urls.scheme-matters': { choices: { schemeMatters: true } },
  'urls.parameters-merged': { choices: { mergesParameters: true } },
  'urls.campaign-forwarded': { choices: { forwardsCampaign: true } },
  'urls.other-campaign-dropped': { choices: { dropsOtherCampaign: true } },
  'resolve.form-encoding': { choices: { queryEncoding: 'form' } },
  'deferred.each-launch': { choices: { laterDelivery: 'always' } },
  'deferred.first-launch-alone': { choices: { laterDelivery: 'never' } },
  'callbacks.forgotten-by-reset': { choices: { resetForgetsCallbacks: true } },
  'callbacks.forgotten-by-clearing': { choices: { clearForgetsCallbacks: true } },
  'answers.strict': { choices: { reading: 'strict', otherParameters: 'drop' } },
  'answers.declared-as-json': { choices: { wantsJSONType: true } },
  'answers.time-in-utc': { choices: { clickTime: 'utc' } },
  'answers.canonical-names-alone': { choices: { legacyNames: false } },
  'events.long-name-refused': { choices: { longName: 'refuse' } },
  'events.whole-seconds': { choices: { timestamps: 'seconds' } },
  'events.microseconds': { choices: { timestamps: 'microseconds' } },
  'events.no-data-left-out': { choices: { emptyDataLeftOut: true } },
  'events.session-id': { choices: { sessionIds: true } },
  'events.numbered': { choices: { eventNumbers: true } },
  'events.network-failure-told': { choices: { networkFailureTold: true } },
  'events.wait-for-install': { choices: { eventWithoutInstall: 'wait' } },
  'events.refused-without-install': { choices: { eventWithoutInstall: 'refuse' } },
  'events.4xx-queued': { choices: { refusedEvent: 'queue', eventsInOrder: false, flushOrder: 'together' } },
  'events.whole-answer-counts': { choices: { acceptedWith: 'whole' } },
  'events.in-order': { choices: { eventsInOrder: true } },
  'events.written-ahead': { choices: { writesAhead: true } },
  'revenue.own-name': { choices: { revenueName: 'purchase' } },
  'revenue.amount-named-revenue': { choices: { amountName: 'revenue' } },
  'event.nulls-dropped': { choices: { nullProperties: 'dropped' } },
  'revenue.both-names': { choices: { amountName: 'both' } },
  'revenue.app-wins': { choices: { amountCollision: 'app' } },
  'revenue.negative-refused': { choices: { negativeAmount: 'refuse' } },
  'revenue.currency-demanded': { choices: { emptyCurrency: 'refuse' } },
  'queue.drops-the-newest': { choices: { overflow: 'newest' } },
  'queue.says-when-full': { choices: { overflow: 'newest', overflowTold: true } },
  'queue.tried-every-half-minute': { choices: { queueTimer: 30_000 }, declares: { retryWindowMs: 30_000 } },
  'queue.not-at-launch': { choices: { flushesAtLaunch: false, queueTimer: 20_000 }, declares: { retryWindowMs: 20_000 } },
  'flush.all-together': { choices: { flushOrder: 'together' } },
  'flush.tells-nothing': { choices: { flushTells: 'nothing' } },
  'flush.tells-all': { choices: { flushTells: 'all' } },
  'network.hint-ignored': { choices: { trustsNetworkHint: false } },
  'storage.end-of-turn': { choices: { writes: 'turn' } },
  'storage.file-per-part': { choices: { filePerPart: true } },
  'links.key-asked-first': { choices: { firstFault: 'key' } },
  'links.slug-sent': { choices: { slugSent: true } },
  'links.empty-user-ignored': { choices: { emptyUser: 'ignore' } },
  'errors.few': { choices: { fewErrors: true } },
  'url.rewritten-by-its-class': { choices: { urlRewritten: true } },
};

/**
 * Adds defects to the SDK, or changes its choices.
 * @param {string} [defects] names, separated by commas
 * @param {string} [variants] names, separated by commas
 */
export function arrange(defects, variants) {
  for (const break_ of named(defects, join(DEFECTS, STRANGERS))) break_();
  const chosen = named(variants, VARIANTS);
  return {
    choices: Object.assign({}, ...chosen.map(({ choices }) => choices)),
    without: chosen.flatMap(({ without = [] }) => without),
    declares: chosen.some(({ declares }) => declares) ? Object.assign({}, ...chosen.map(({ declares }) => declares)) : undefined,
  };
}

function named(names, table) {
  return (names ? names.split(',') : []).map((name) => {
    if (Object.hasOwn(table, name)) return table[name];
    throw new Error(`there is no ${name}`);
  });
}
