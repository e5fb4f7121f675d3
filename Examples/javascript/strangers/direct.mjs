import { DirectLinks } from '../linkforty/callbacks.mjs';
import { LinkReader } from '../linkforty/link-url.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { patch } from '../patch.mjs';

const PLAIN = ['source', 'medium', 'campaign'];

export const DEFECTS = {
  // ----- The data in a URL

  'url.fragment-cut-off': () =>
    patch(LinkForty, 'deliverUrl', (original) => function (session, url) {
      return original.call(this, session, url.split('#')[0]);
    }),

  'url.cut-at-2048': () =>
    patch(LinkForty, 'deliverUrl', (original) => function (session, url) {
      return original.call(this, session, url.slice(0, 2048));
    }),

  'url.code-without-extension': () =>
    patch(LinkReader, 'shortCode', (original) => function (url) {
      return original.call(this, url)?.replace(/(?<=.)\.[^.]*$/s, '');
    }),

  'url.both-segments-are-the-code': () =>
    patch(LinkReader, 'shortCode', (original) => function (url) {
      if (this.isCustom(url) || url.segments.length !== 2) return original.call(this, url);
      return url.segments.map((segment) => this.decode(segment)).join('/');
    }),

  'url.second-campaign-lost': () =>
    patch(LinkReader, 'parameters', (original) => function (query) {
      const parts = query.split('&');
      const isCampaign = (part) => this.isCampaign(this.pair(part)[0]);
      const kept = [];
      for (const [index, part] of parts.entries()) {
        const previous = parts[index - 1];
        const isEaten = index > 0 && kept.at(-1) === previous && isCampaign(previous) && isCampaign(part);
        kept.push(isEaten ? '' : part);
      }
      return original.call(this, kept.join('&'));
    }),

  'url.custom-name-source': () => {
    patch(LinkReader, 'campaign', (original) => function (parameters) {
      return [...original.call(this, parameters), ...parameters.filter(([name]) => PLAIN.includes(name))];
    });
    patch(LinkReader, 'custom', (original) => function (parameters) {
      return original.call(this, parameters).filter(([name]) => !PLAIN.includes(name));
    });
  },

  // The description is about values; url.decoded-twice in ../defects.mjs also changes names.
  'url.values-decoded-twice': () =>
    patch(LinkReader, 'pair', (original) => function (part) {
      const [name, value] = original.call(this, part);
      return [name, this.decode(value)];
    }),

  'url.decoded-before-split': () =>
    patch(LinkReader, 'parameters', (original) => function (query) {
      const decoded = this.decodeParameter(query);
      return original.call(Object.assign(Object.create(this), { decodeParameter: (text) => text }), decoded);
    }),

  'url.fragment-parameters': () =>
    patch(LinkReader, 'split', (original) => function (text) {
      const parts = original.call(this, text);
      const fragment = text.includes('#') ? text.slice(text.indexOf('#') + 1) : '';
      const added = fragment.slice(fragment.indexOf('?') + 1);
      return added.includes('=') ? { ...parts, query: [parts.query, added].filter((part) => part).join('&') } : parts;
    }),

  'url.own-scheme-null': () =>
    patch(LinkReader, 'localData', (original) => function (url) {
      return this.isCustom(url) ? null : original.call(this, url);
    }),

  // ----- The delivered data

  'url.no-code-asks-anyway': () =>
    patch(LinkForty, 'lookUp', (original) => async function (session, text) {
      const url = this.reader.takeApart(text, session.configuration.base);
      if (!url.isOurs || url.segments.length > 0) return original.call(this, session, text);
      return session.resolver.resolve([], (segment) => segment).catch(() => null);
    }),

  'url.bad-escape-no-call': () => {
    patch(LinkReader, 'pair', (original) => function (part) {
      decodeURIComponent(part.split('=').slice(1).join('='));
      return original.call(this, part);
    });
    patch(LinkForty, 'deliverUrl', (original) => async function (session, url) {
      try {
        return await original.call(this, session, url);
      } catch (error) {
        this.log('the link was not handled', error);
      }
    });
  },

  'url.first-callback-only': () =>
    patch(DirectLinks, 'register', (original) => function (callback) {
      if (this.callbacks.length === 0) original.call(this, callback);
    }),

  'url.explicit-call-ignored': () =>
    patch(LinkForty, 'handleUrl', (original) => async function (url) {
      if (!this.platform.urls || !this.choices.listensToPlatform) return original.call(this, url);
    }),

  'url.start-url-lost': () =>
    patch(LinkForty, 'takeInitialUrl', () => function () {
      const initial = this.platform.urls?.initial;
      if (initial && this.choices.listensToPlatform && !this.initialUrlTaken) {
        const present = { callbacks: [...this.direct.callbacks], hold: () => {} };
        Object.assign(Object.create(this.direct), present).deliverWhenReady(initial, this.lookUp(this.session, initial));
      }
      this.initialUrlTaken = true;
    }),

  'url.newest-wins': () =>
    patch(DirectLinks, 'deliverWhenReady', () => async function (url, lookingUp) {
      this.newest = lookingUp;
      const data = await lookingUp;
      if (this.newest === lookingUp) this.deliver({ url, data });
    }),
};
