// Deviations of released SDKs from the documents, for profiles.yaml. Like a defect in defects.mjs, each deviation
// replaces a method or a command of the adapter. The SDK itself contains no code for them. A defect is a single mistake. A
// profile has many deviations at once, as real SDKs do.
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

  /** Accepts any scheme for a local host. */
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

  /** If a second initialize() is called before the first has ended, both calls report the install. */
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

  /** Waits for an answer as long as the platform waits by default. */
  'wait.forty-seconds': () => ({ choices: { timeout: 40_000, resolveTimeout: 40_000 } }),

  /** Errors have no code and no status. */
  'errors.generic': () => ({ errorOf: () => ({ kind: 'generic' }) }),

  // ----- The install report

  /** Tries to report the install only once. After a failure, later launches do not report it again. */
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

  /** Invents the score: 100 for each attributed install. */
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

  /** Does not call a callback that is registered after an organic install. */
  'deferred.late-organic-is-silent': () =>
    patch(DeferredLinks, 'register', (original) => function (callback) {
      if (this.outcome && !this.outcome.link) return void this.registrations.push({ callback, called: true });
      return original.call(this, callback);
    }),

  /** Has no method that accepts a URL from the app. The SDK listens to the platform, and the adapter uses the platform. */
  'urls.from-the-platform-alone': () => ({
    commands: { handleUrl: (phone, { url }) => phone.say(phone.ears, url) },
  }),

  /** Drops URLs that the platform delivers before initialize(). */
  'urls.early-lost': () =>
    patch(LinkForty, 'hear', (original) => function (url) {
      if (this.session) original.call(this, url);
    }),

  /** Asks the server up to three times before the link is delivered, unless the server did not answer in time. */
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

  /** Accepts any JSON object as the answer of the server, even without a short code. */
  'resolve.any-object-is-an-answer': () =>
    patch(AnswerReader, 'resolvedLink', () => function (response) {
      return this.link(this.object(response)) ?? {};
    }),

  // ----- Events

  /** Waits for the answer to an event without a time limit. */
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

/** Replaces the scheme of a URL with http if its host is local. */
function localAsHTTP(text) {
  return typeof text === 'string' ? text.replace(/^[a-z][a-z0-9+.-]*(?=:\/\/(localhost|127\.0\.0\.1)([:/?#]|$))/i, keepHTTP) : text;
}

function keepHTTP(scheme) {
  return /^https?$/i.test(scheme) ? scheme : 'http';
}

function anyBase({ protocol, hostname, port, pathname }) {
  return { secure: protocol === 'https:', host: hostname || 'localhost', port, path: pathname.replace(/\/+$/, '') };
}
