// What SDKs that have shipped do otherwise than the documents say, for profiles.yaml. They work as in defects.mjs: each
// replaces a method, or a command of the adapter, and the SDK itself knows nothing of them. A defect is a mistake alone; a
// profile has many of these at once, as real SDKs do.
import { Api } from './linkforty/api.mjs';
import { AnswerReader } from './linkforty/answers.mjs';
import { DeferredLinks, DirectLinks } from './linkforty/callbacks.mjs';
import { ConfigurationReader } from './linkforty/configuration.mjs';
import { Fingerprint } from './linkforty/device.mjs';
import { notInitialized } from './linkforty/errors.mjs';
import { EventSender } from './linkforty/events.mjs';
import { LinkForty } from './linkforty/linkforty.mjs';
import { patch } from './patch.mjs';

export const DEVIATIONS = {
  // ----- Configuration and initialization

  /** Takes any scheme for a local host. */
  'config.any-scheme-when-local': () =>
    patch(ConfigurationReader, 'readBase', (original) => function (text) {
      return original.call(this, localAsHTTP(text));
    }),

  /** Checks neither the base URL, if there is one, nor the attribution window. */
  'config.nothing-checked': () => {
    patch(ConfigurationReader, 'readBase', (original) => function (text) {
      return typeof text === 'string' && URL.canParse(text) ? anyBase(new URL(text)) : original.call(this, text);
    });
    patch(ConfigurationReader, 'readWindow', (original) => function (hours) {
      return typeof hours === 'number' ? { hours, isDefault: false } : original.call(this, hours);
    });
  },

  /** Initializes twice if the second call comes before the first has ended: both report the install. */
  'init.guarded-at-the-end': () =>
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const before = this.session;
      if (before && !before.isReady) this.session = undefined;
      try {
        return await original.call(this, configuration);
      } finally {
        if (this.session) this.session.isReady = true;
      }
    }),

  /** Writes to the error output, whether debug mode is on or not. */
  'log.configuration-with-key': () =>
    patch(LinkForty, 'initialize', (original) => function (configuration) {
      console.error(`linkforty: initialize ${JSON.stringify(configuration)}`);
      return original.call(this, configuration);
    }),

  /** Waits for an answer as long as the platform does by itself. */
  'wait.forty-seconds': () => ({ choices: { timeout: 40_000, resolveTimeout: 40_000 } }),

  /** Errors have no code and no status. */
  'errors.generic': () => ({ errorOf: () => ({ kind: 'generic' }) }),

  // ----- The install report

  /** Reports the install in one launch: one that failed is not tried again. */
  'install.one-attempt': () =>
    patch(LinkForty, 'reportInstall', (original) => async function (session) {
      const note = () => this.memory.write('tried', true);
      if (this.memory.read('tried') !== true) return original.call(this, session).finally(note);
      this.deferred.settle(null);
      return null;
    }),

  'report.no-app-version': () =>
    patch(Fingerprint, 'report', (original) => function (configuration) {
      const { appVersion, ...report } = original.call(this, configuration);
      return report;
    }),

  /** Makes the score up: 100 for each attributed install. */
  'install.score-made-up': () =>
    patch(AnswerReader, 'install', (original) => function (response) {
      const install = original.call(this, response);
      return { ...install, confidenceScore: install.attributed ? 100 : 0 };
    }),

  // ----- Callbacks and URLs

  /** Refuses deferred callbacks before initialize(). */
  'deferred.refused-early': () =>
    patch(LinkForty, 'onDeferredDeepLink', (original) => function (callback) {
      if (!this.session) throw notInitialized();
      return original.call(this, callback);
    }),

  /** Refuses callbacks for URLs before initialize(), which the document allows. */
  'direct.refused-early': () =>
    patch(LinkForty, 'onDeepLink', (original) => function (callback) {
      if (!this.session) throw notInitialized();
      return original.call(this, callback);
    }),

  /** Nobody who registers after an organic install is called. */
  'deferred.late-organic-is-silent': () =>
    patch(DeferredLinks, 'register', (original) => function (callback) {
      if (this.outcome && !this.outcome.link) return void this.registrations.push({ callback, called: true });
      return original.call(this, callback);
    }),

  /** Has no method that takes a URL from the app: it listens to the platform, and the adapter goes that way. */
  'urls.from-the-platform-alone': () => ({
    commands: { handleUrl: (phone, { url }) => phone.say(phone.ears, url) },
  }),

  /** Drops what the platform delivers before initialize(). */
  'urls.early-lost': () =>
    patch(LinkForty, 'hear', (original) => function (url) {
      if (this.session) original.call(this, url);
    }),

  /** Asks the server up to three times before the link is delivered, unless it was silent. */
  'resolve.retried': () =>
    patch(Api, 'get', (original) => async function (...request) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await original.apply(this, request);
        } catch (error) {
          if (attempt === 2 || error.code === 'timeout' || !this.mayPass(error)) throw error;
          await this.pause(attempt);
        }
      }
    }),

  /** Takes any JSON object for the answer of the server, also one without a short code. */
  'resolve.any-object-is-an-answer': () =>
    patch(AnswerReader, 'resolvedLink', () => function (response) {
      return this.link(this.object(response)) ?? {};
    }),

  // ----- Events

  /** Waits for the answer to an event without end. */
  'events.no-time-out': () =>
    patch(EventSender, 'send', () => function (event, wanted) {
      const options = { retries: this.choices.retries, timeout: 3_600_000, wanted };
      return this.api.post('/api/sdk/v1/event', this.body(event), options);
    }),

  /** Sends an event once and forgets it: no queue, no retry, no error. */
  'events.fire-and-forget': () =>
    patch(EventSender, 'track', () => async function (event) {
      if (!this.installIdOf(event)) return;
      await this.deliver(event, () => !this.isOver()).catch((error) => this.log('the event was not sent', error));
    }),
};

/** The same URL with the scheme http, if its host is local and the scheme another. */
function localAsHTTP(text) {
  return typeof text === 'string' ? text.replace(/^[a-z][a-z0-9+.-]*(?=:\/\/(localhost|127\.0\.0\.1)([:/?#]|$))/i, keepHTTP) : text;
}

function keepHTTP(scheme) {
  return /^https?$/i.test(scheme) ? scheme : 'http';
}

function anyBase({ protocol, hostname, port, pathname }) {
  return { secure: protocol === 'https:', host: hostname || 'localhost', port, path: pathname.replace(/\/+$/, '') };
}
