import { Api } from '../linkforty/api.mjs';
import { EventQueue } from '../linkforty/event-queue.mjs';
import { LinkMaker } from '../linkforty/link-maker.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { patch } from '../patch.mjs';

export const DEFECTS = {
  'user.too-long-refused': () =>
    patch(LinkForty, 'setExternalUserId', (original) => function (id) {
      if (id?.length > 255) throw new RangeError('the external user id is too long');
      original.call(this, id);
    }),

  'user.mail-lowered': () =>
    patch(LinkForty, 'setExternalUserId', (original) => function (id) {
      original.call(this, id?.includes('@') ? id.toLowerCase() : id);
    }),

  'user.read-from-last-order': () => {
    patch(LinkMaker, 'user', (original) => function (options, user) {
      const owner = original.call(this, options, user);
      this.lastUser = owner ?? null;
      return owner;
    });
    patch(LinkForty, 'getExternalUserId', () => function () {
      return this.session?.links.lastUser ?? null;
    });
    patch(LinkForty, 'clearData', (original) => function () {
      if (this.session) this.session.links.lastUser = null;
      original.call(this);
    });
  },

  'user.null-reads-empty': () =>
    patch(LinkForty, 'setExternalUserId', (original) => function (id) {
      original.call(this, id ?? '');
    }),

  'user.needs-start': () =>
    patch(LinkForty, 'setExternalUserId', (original) => function (id) {
      this.ready();
      original.call(this, id);
    }),

  'user.stored-with-queue': () => {
    patch(EventQueue, 'append', (original) => function (event) {
      original.call(this, event);
      this.memory.write('user', this.userOf?.() ?? null);
    });
    patch(LinkForty, 'listenToPlatform', (original) => function () {
      if (!this.queue.userOf && this.queue.size > 0) this.externalUserId = this.memory.read('user') ?? null;
      this.queue.userOf = () => this.externalUserId;
      original.call(this);
    });
  },

  'user.clear-hides-from-getter': () => {
    patch(LinkForty, 'clearData', (original) => function () {
      const links = this.session?.links;
      if (links) links.copy = this.externalUserId ?? links.copy;
      original.call(this);
    });
    patch(LinkForty, 'setExternalUserId', (original) => function (id) {
      if (this.session) this.session.links.copy = undefined;
      original.call(this, id);
    });
    patch(LinkMaker, 'create', (original) => function (options, user) {
      return original.call(this, options, user ?? this.copy);
    });
  },

  'user.reset-keeps': () =>
    patch(LinkForty, 'reset', (original) => function () {
      const id = this.externalUserId;
      original.call(this);
      this.externalUserId = id;
    }),

  'user.in-header': () => {
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      const session = original.call(this, configuration);
      session.api.user = () => this.externalUserId;
      return session;
    });
    patch(Api, 'headers', (original) => function (target, body) {
      const id = this.user();
      const value = /^[\x20-\x7e]*$/.test(id) ? id : encodeURIComponent(id);
      const fields = original.call(this, target, body);
      return id ? [...fields, [this.spell('X-External-User-Id'), value]] : fields;
    });
  },

  'user.call-clears': () =>
    patch(LinkForty, 'createLink', (original) => async function (options) {
      const link = await original.call(this, options);
      if (options?.externalUserId) this.externalUserId = null;
      return link;
    }),
};
