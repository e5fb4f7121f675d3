// The queue.
import { Api } from '../linkforty/api.mjs';
import { LinkFortyError } from '../linkforty/errors.mjs';
import { EventQueue } from '../linkforty/event-queue.mjs';
import { EventSender } from '../linkforty/events.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { Memory } from '../linkforty/memory.mjs';
import { patch } from '../patch.mjs';

const CAPACITY = 100;
const FOR_EVER = 2 ** 31 - 1;

/** The status of a complete answer. */
function statusOf({ code, status }) {
  return code === 'server' ? status : undefined;
}

/** Whether the stored text is not a list. */
function isBroken(text) {
  if (text === undefined) return false;
  try {
    return !Array.isArray(JSON.parse(text));
  } catch {
    return true;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The result if a text in Latin-1 is read as UTF-8. */
function misread(text) {
  return utf8.decode(Buffer.from(text, 'latin1'));
}

export const DEFECTS = {
  // ----- The events that are queued

  'queue.not-on-5xx': () =>
    patch(EventSender, 'isWorthKeeping', (original) => function (error) {
      return statusOf(error) >= 500 ? false : original.call(this, error);
    }),

  'queue.events-wait-for-ever': () =>
    patch(EventSender, 'send', () => function (event, wanted) {
      const options = { retries: this.choices.retries, wanted, timeout: FOR_EVER };
      return this.api.post('/api/sdk/v1/event', this.body(event), options);
    }),

  'queue.no-limit-in-flight': () => {
    const late = new WeakSet(); // events that were tracked while the queue was full
    patch(EventSender, 'track', (original) => function (event) {
      if (this.queue.size >= CAPACITY) late.add(event);
      return original.call(this, event);
    });
    patch(EventQueue, 'add', () => function (event) {
      if (late.has(event)) this.events.shift();
      this.append(event);
      return true;
    });
  },

  'queue.limit-of-the-launch': () => {
    patch(EventQueue, 'restore', (original) => function () {
      this.loaded = original.call(this);
      return [...this.loaded];
    });
    patch(EventQueue, 'add', () => function (event) {
      const own = this.events.filter((other) => !this.loaded.includes(other));
      if (own.length >= CAPACITY) this.events.splice(this.events.indexOf(own[0]), 1);
      this.append(event);
      return true;
    });
  },

  'queue.size-of-the-start': () => {
    patch(LinkForty, 'noteLaunch', (original) => function () {
      this.sizeOfTheStart ??= this.queue.size;
      original.call(this);
    });
    patch(LinkForty, 'queueSize', (original) => function () {
      const size = original.call(this);
      return this.sizeOfTheStart ?? size;
    });
  },

  'queue.broken-store-stops-tracking': () =>
    patch(EventQueue, 'add', (original) => function (event) {
      const text = this.memory.storage.get('queue');
      if (isBroken(text)) throw new LinkFortyError('unreadable-answer', 'the stored queue cannot be read');
      return original.call(this, event);
    }),

  // ----- The stored data

  'queue.saved-every-tenth': () => {
    patch(EventQueue, 'append', () => function (event) {
      this.events.push(event);
      this.appended = (this.appended ?? 0) + 1;
      if (this.appended % 10 === 0) this.save();
    });
    patch(LinkForty, 'close', (original) => function () {
      this.queue.save();
      original.call(this);
    });
  },

  'queue.umlauts-lose-it': () =>
    patch(Memory, 'events', (original) => function () {
      try {
        misread(this.storage.get('queue') ?? '');
      } catch {
        return [];
      }
      return original.call(this);
    }),

  'queue.sent-come-back': () => {
    patch(EventQueue, 'remove', (original) => function (event) {
      if (!this.isFlushed) return original.call(this, event);
      this.events = this.events.filter((other) => other !== event);
    });
    patch(EventSender, 'drain', (original) => async function () {
      this.queue.isFlushed = true;
      await original.call(this).finally(() => (this.queue.isFlushed = false));
      this.queue.save();
    });
  },

  'queue.clear-empty-skips-storage': () =>
    patch(EventQueue, 'save', (original) => function () {
      if (this.size > 0) original.call(this);
    }),

  'queue.true-is-text-on-restart': () =>
    patch(Memory, 'saveEvents', (original) => function (events) {
      const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
      const texts = (data) => Object.fromEntries(Object.entries(data).map(([name, value]) => [name, text(value)]));
      original.call(this, events.map((event) => ({ ...event, data: texts(event.data) })));
    }),

  // ----- Flushing

  'queue.three-attempts': () =>
    patch(EventSender, 'deliver', (original) => async function (event, wanted) {
      return original.call(this, event, wanted).catch((error) => {
        event.attempts = (event.attempts ?? 0) + 1;
        if (!this.queue.has(event)) throw error;
        if (event.attempts >= 3) this.queue.remove(event);
        else this.queue.save();
        throw error;
      });
    }),

  'queue.flush-skips-every-second': () => {
    patch(EventSender, 'drain', (original) => function () {
      this.queue.index = 0;
      return original.call(this);
    });
    patch(EventQueue, 'next', () => function () {
      return this.events[this.index++];
    });
  },

  'queue.failure-loses-the-rest': () =>
    patch(EventSender, 'drainInSequence', () => async function () {
      if (!this.next()) return;
      const events = this.queue.idle();
      let refusal;
      this.queue.clear();
      for (const event of events) {
        const error = await this.deliver(event, () => !this.isOver()).catch((error) => error);
        if (error && this.isWorthKeeping(error)) {
          this.queue.add(event);
          throw error;
        }
        refusal ??= error;
      }
      if (refusal) throw refusal;
    }),

  'queue.clear-sends-first': () =>
    patch(LinkForty, 'clearQueue', (original) => async function () {
      await this.session?.sender.flush().catch(() => {});
      return original.call(this);
    }),

  'queue.only-direct-success-drains': () =>
    patch(LinkForty, 'start', (original) => function (session) {
      this.choices.flushesAtLaunch = false;
      return original.call(this, session);
    }),

  'queue.time-of-sending': () =>
    patch(EventSender, 'deliverQueued', (original) => function (event) {
      event.time = new Date(this.clock.now()).toISOString();
      return original.call(this, event);
    }),

  'queue.empty-flush-fails': () =>
    patch(LinkForty, 'flush', (original) => async function () {
      if (this.session && this.queue.size === 0) throw new Error('there is nothing to send');
      return original.call(this);
    }),

  'queue.empty-flush-pings': () =>
    patch(LinkForty, 'flush', (original) => async function () {
      if (this.session && this.queue.size === 0) await this.session.api.get('/api/sdk/v1/health', '').catch(() => {});
      return original.call(this);
    }),

  'queue.link-waits-for-flush': () => {
    patch(LinkForty, 'makeSession', (original) => function (configuration) {
      this.choices.flushOrder = 'together'; // all events of a flush wait together
      return original.call(this, configuration);
    });
    patch(Api, 'exchange', (original) => async function (request, options = {}) {
      const before = this.line;
      let leave;
      this.line = new Promise((resolve) => (leave = resolve));
      await before;
      try {
        const { wanted = () => true } = options;
        if (!wanted()) throw new LinkFortyError('network', 'nobody waits for it any more');
        return await original.call(this, request, options);
      } finally {
        leave();
      }
    });
  },

  'queue.failed-by-status-waits': () => {
    patch(EventSender, 'deliver', (original) => async function (event, wanted) {
      return original.call(this, event, wanted).catch((error) => {
        if (statusOf(error) >= 500) event.waitsForTheApp = true;
        throw error;
      });
    });
    patch(EventSender, 'flushSoon', (original) => function () {
      if (!this.flushing) this.isOwnFlush = true;
      original.call(this);
    });
    patch(LinkForty, 'flush', (original) => function () {
      if (this.session) this.session.sender.isOwnFlush = false;
      return original.call(this);
    });
    patch(EventSender, 'next', (original) => function () {
      if (!this.isOwnFlush) return original.call(this);
      return this.queue.idle().find((event) => !event.waitsForTheApp && this.mayLeave(event));
    });
  },
};
