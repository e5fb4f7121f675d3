import { AnswerReader } from '../linkforty/answers.mjs';
import { Api } from '../linkforty/api.mjs';
import { LinkFortyError } from '../linkforty/errors.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { Memory } from '../linkforty/memory.mjs';
import { Resolver } from '../linkforty/resolver.mjs';
import { patch } from '../patch.mjs';

export const DEFECTS = {
  'access.id-empty': () =>
    patch(LinkForty, 'getInstallId', (original) => function () {
      return original.call(this) ?? '';
    }),

  'access.data-time-reformatted': () =>
    read((link) => {
      return link.clickedAt === undefined ? link : { ...link, clickedAt: Math.floor(Date.parse(link.clickedAt) / 1000) };
    }),

  'access.data-campaign-source-only': () =>
    read(({ utmParameters, ...link }) => {
      return utmParameters?.source === undefined ? link : { ...link, utmParameters: { source: utmParameters.source } };
    }),

  'access.data-of-last-link': () => {
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      const session = original.call(this, configuration);
      session.resolver.memory = this.memory;
      return session;
    });
    patch(Resolver, 'resolve', (original) => async function (...args) {
      const { era } = this.memory;
      const link = await original.apply(this, args);
      if (this.memory.era === era) this.memory.write('last', link);
      return link;
    });
    patch(LinkForty, 'getInstallData', (original) => function () {
      return this.memory.read('last') ?? original.call(this);
    });
  },

  'access.organic-null-is-empty': () => organic((link) => link === null),

  'access.organic-empty-kept': () => organic((link) => JSON.stringify(link) === '{}'),

  'access.data-lost-at-third-launch': () => {
    patch(LinkForty, 'remember', (original) => function () {
      const { memory } = this;
      if (!this.reportedHere) {
        memory.loaded ??= memory.deepLinkData();
        memory.write('install', { ...memory.install(), deepLinkData: null });
      }
      return original.call(this);
    });
    patch(Memory, 'install', (original) => function () {
      const install = original.call(this);
      return install && { ...install, deepLinkData: install.deepLinkData ?? this.loaded ?? null };
    });
    patch(Memory, 'wipe', (original) => function () {
      this.loaded = undefined;
      original.call(this);
    });
  },

  'access.first-unreadable': () =>
    patch(LinkForty, 'isFirstLaunch', (original) => function () {
      if (this.firstLaunch && this.memory.installId() === null) throw new TypeError('nothing is stored');
      return original.call(this);
    }),

  'access.first-always-true': () => patch(LinkForty, 'isFirstLaunch', () => () => true),

  'access.broken-data-fatal': () =>
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      if (this.storage.get('install') !== undefined && !this.memory.install()) {
        throw new LinkFortyError('unreadable-answer', 'the stored install cannot be read');
      }
      return original.call(this, configuration);
    }),

  'access.data-under-lock': () => {
    patch(Api, 'attempt', (original) => async function (request, timeout) {
      const attempt = original.call(this, request, timeout);
      const held = (this.held ??= new Set());
      held.add(attempt);
      return attempt.finally(() => held.delete(attempt));
    });
    patch(LinkForty, 'getInstallId', (original) => async function () {
      const held = this.session?.api.held ?? new Set();
      while (held.size > 0) await Promise.allSettled([...held]);
      return original.call(this);
    });
  },
};

/** The accessor returns the link in a different form. */
function read(change) {
  patch(LinkForty, 'getInstallData', (original) => function () {
    const link = original.call(this);
    return link && change(link);
  });
}

/** After an organic install whose link has this form, the accessor returns an object without members. */
function organic(isSpelled) {
  patch(AnswerReader, 'install', (original) => function (response) {
    const install = original.call(this, response);
    this.isSpelled = !install.attributed && isSpelled(this.object(response).deepLinkData);
    return install;
  });
  patch(LinkForty, 'keepInstall', (original) => function (install) {
    if (this.answers.isSpelled) this.memory.write('organic', {});
    return original.call(this, install);
  });
  patch(LinkForty, 'getInstallData', (original) => function () {
    return original.call(this) ?? this.memory.read('organic') ?? null;
  });
}
