import { ConfigurationReader } from '../linkforty/configuration.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { patch } from '../patch.mjs';
import { storedDifferently } from './stored.mjs';

export const DEFECTS = {
  'init.debug-never-ready': () =>
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const isRefused = Boolean(this.session);
      const install = await original.call(this, configuration);
      if (configuration.debug === true && !isRefused) this.session = undefined;
      return install;
    }),

  'init.flush-before-check': () => {
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      if (!this.session && this.queue.size > 0) {
        const { attributionWindowHours, ...unchecked } = configuration;
        this.early = this.makeSession(new ConfigurationReader(this.choices).read(unchecked)).sender;
        this.early.flushSoon();
      }
      return original.call(this, configuration);
    });
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      const session = original.call(this, configuration);
      if (this.early) session.sender = Object.assign(this.early, { api: session.api, isOver: () => session.over });
      this.early = undefined;
      return session;
    });
  },

  'init.rejected-window-sticks': () => {
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const { attributionWindowHours, ...rejected } = this.rejected ?? {};
      try {
        return await original.call(this, { ...rejected, ...configuration });
      } catch (error) {
        if (error.code === 'invalid-configuration') {
          this.rejected = { ...this.rejected, ...configuration };
          this.choices.rejectedHours = this.rejected.attributionWindowHours;
        }
        throw error;
      }
    });
    patch(ConfigurationReader, 'defaultWindow', (original) => function () {
      const window = original.call(this);
      return { ...window, hours: this.choices.rejectedHours ?? window.hours };
    });
  },

  'init.report-waits-for-an-event': () => {
    patch(LinkForty, 'reportInstall', (original) => async function (session) {
      session.report = () => (session.reporting ??= original.call(this, session));
      return null;
    });
    patch(LinkForty, 'track', (original) => async function (session, event) {
      await session.report?.();
      return original.call(this, session, event);
    });
  },

  'init.callback-reports-on-later-launch': () =>
    patch(LinkForty, 'isInstallReported', (original) => function () {
      return original.call(this) && (this.reportedHere || this.deferred.registrations.length === 0);
    }),

  'init.custom-stored-as-query': () =>
    storedDifferently(({ customParameters, ...link }) => {
      if (!customParameters) return link;
      const text = Object.entries(customParameters).map((pair) => pair.join('=')).join('&');
      const read = text.split('&').map((part) => part.split('=')).filter(([, value]) => value !== undefined);
      return { ...link, customParameters: Object.fromEntries(read) };
    }),

  'init.flush-fails-the-launch': () =>
    patch(LinkForty, 'start', (original) => async function (session) {
      const isLater = this.isInstallReported();
      const install = await original.call(this, session);
      if (isLater) await session.sender.flush();
      return install;
    }),

  'init.second-reports-again': () =>
    patch(LinkForty, 'initializeAgain', (original) => async function () {
      await this.reportInstall(this.session);
      return original.call(this);
    }),

  'init.second-spoils-the-first': () =>
    patch(LinkForty, 'initializeAgain', (original) => function () {
      try {
        return original.call(this);
      } catch (error) {
        this.session = undefined;
        throw error;
      }
    }),

  'init.other-base-other-install': () => {
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      this.isTakenOver = Boolean(this.session) && configuration.baseUrl !== this.session.baseUrl;
      if (this.isTakenOver) {
        new ConfigurationReader(this.choices).read(configuration);
        this.endSession(this.session);
      }
      const before = this.session;
      const outcome = original.call(this, configuration);
      if (this.session && this.session !== before) this.session.baseUrl = configuration.baseUrl;
      return outcome;
    });
    patch(LinkForty, 'isInstallReported', (original) => function () {
      return !this.isTakenOver && original.call(this);
    });
  },

  'init.guard-by-base-url': () =>
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const pending = (this.pending ??= new Map());
      const { baseUrl } = configuration;
      if (pending.has(baseUrl)) return pending.get(baseUrl);
      const before = this.session;
      if (pending.size > 0) this.session = undefined;
      const starting = original.call(this, configuration);
      this.session ??= before;
      pending.set(baseUrl, starting);
      return starting.finally(() => pending.delete(baseUrl));
    }),

  'init.links-follow-the-second': () =>
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      if (this.session) {
        const { links, api, configuration: first } = this.session;
        const base = new ConfigurationReader(this.choices).readBase(configuration.baseUrl);
        links.api = Object.assign(Object.create(api), { configuration: { ...first, base } });
      }
      return original.call(this, configuration);
    }),

  'init.event-before-is-swallowed': () =>
    patch(LinkForty, 'trackEvent', (original) => async function (name, properties) {
      if (!this.session) return this.log('initialize() was not called');
      return original.call(this, name, properties);
    }),

  'init.revenue-before-is-swallowed': () =>
    patch(LinkForty, 'trackRevenue', (original) => async function (amount, currency, properties) {
      if (this.session) return original.call(this, amount, currency, properties);
    }),

  'init.link-before-is-null': () =>
    patch(LinkForty, 'createLink', (original) => async function (options) {
      return this.session ? original.call(this, options) : { url: null, shortCode: null, linkId: null };
    }),

  'init.clear-queue-before-crashes': () =>
    patch(LinkForty, 'clearQueue', (original) => function () {
      if (!this.session) process.exit(134);
      return original.call(this);
    }),

  'init.flush-before-never-ends': () => {
    patch(LinkForty, 'flush', (original) => async function () {
      if (!this.session) await new Promise((resolve) => (this.waiting ??= []).push(resolve));
      return original.call(this);
    });
    patch(LinkForty, 'initialize', (original) => async function (configuration) {
      const install = await original.call(this, configuration);
      for (const goOn of (this.waiting ?? []).splice(0)) goOn();
      return install;
    });
  },

  'init.url-before-one-slot': () =>
    patch(LinkForty, 'handleUrl', (original) => async function (url) {
      if (this.session) return original.call(this, url);
      this.earlyUrls = this.earlyUrls.filter((other) => other !== this.slot);
      this.earlyUrls.push((this.slot = url));
    }),

  'init.url-before-unresolved': () => {
    patch(LinkForty, 'handleUrl', (original) => async function (url) {
      if (this.session) return original.call(this, url);
      (this.unresolved ??= []).push(url);
    });
    patch(LinkForty, 'hearPlatform', (original) => function (session) {
      original.call(this, session);
      for (const url of (this.unresolved ?? []).splice(0)) {
        this.direct.deliver({ url, data: this.reader.localData(this.reader.takeApart(url, session.configuration.base)) });
      }
    });
  },

  'init.base-follows-created-links': () =>
    patch(LinkForty, 'createLink', (original) => async function (options) {
      const { session } = this;
      const link = await original.call(this, options);
      if (!URL.canParse(link.url)) return link;
      const { protocol, hostname: host, port } = new URL(link.url);
      const base = { ...session.configuration.base, secure: protocol === 'https:', host, port };
      const configuration = { ...session.configuration, base };
      session.resolver.api = Object.assign(Object.create(session.api), { configuration });
      return link;
    }),

  'init.long-values-cut': () =>
    storedDifferently((link) => {
      const cut = (value) => (typeof value === 'string' ? value.slice(0, 255) : cutAll(value));
      const cutAll = (members) => Object.fromEntries(Object.entries(members).map(([name, value]) => [name, cut(value)]));
      return cutAll(link);
    }),

  'init.zero-score-not-stored': () => storedDifferently((link, { confidenceScore }) => (confidenceScore ? link : null)),

  'init.url-during-start-lost': () => {
    patch(LinkForty, 'reportInstall', (original) => async function (session) {
      session.isReporting = true;
      try {
        return await original.call(this, session);
      } finally {
        session.isReporting = false;
      }
    });
    patch(LinkForty, 'handleUrl', (original) => async function (url) {
      if (!this.session?.isReporting) return original.call(this, url);
    });
  },
};
