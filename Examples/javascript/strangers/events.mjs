// Events: their content, and the handling of events that cannot be sent.
import { isObject } from '../linkforty/answers.mjs';
import { Api } from '../linkforty/api.mjs';
import { invalidEvent, LinkFortyError } from '../linkforty/errors.mjs';
import { EventQueue } from '../linkforty/event-queue.mjs';
import { EventMaker, EventSender } from '../linkforty/events.mjs';
import { LinkForty } from '../linkforty/linkforty.mjs';
import { Memory } from '../linkforty/memory.mjs';
import { patch } from '../patch.mjs';

const PATH = '/api/sdk/v1/event';

/** Changes the body of an event. @param {(body: object, event: object, sender: EventSender) => object} change */
function inBody(change) {
  patch(EventSender, 'body', (original) => function (event) {
    return change(original.call(this, event), event, this);
  });
}

/** Changes the name of an event. @param {(name: string) => string} change */
function inName(change) {
  patch(EventMaker, 'make', (original) => function (name, properties) {
    const event = original.call(this, name, properties);
    return { ...event, name: change(event.name) };
  });
}

/** Changes each value among the properties, at any depth. @param {(value: any) => any} change */
function inProperties(change) {
  const walk = (value) => {
    const changed = change(value);
    if (Array.isArray(changed)) return changed.map(walk);
    if (!isObject(changed)) return changed;
    return Object.fromEntries(Object.entries(changed).map(([name, member]) => [name, walk(member)]));
  };
  patch(EventMaker, 'copy', (original) => function (properties) {
    return walk(original.call(this, properties));
  });
}

/** The local time of an instant in a zone, in the form of Date.toISOString(). */
function localTime(instant, timeZone) {
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);
  return `${wall.replace(' ', 'T')}${instant.toISOString().slice(19)}`;
}

export const DEFECTS = {
  'event.path-plural': () =>
    patch(Api, 'target', (original) => function (path) {
      return original.call(this, path === PATH ? `${path}s` : path);
    }),

  'event.id-of-the-link': () =>
    inBody((body, event, { memory }) => ({ ...body, installId: memory.deepLinkData()?.linkId ?? body.installId })),

  // ----- Names

  'event.name-lowered': () => inName((name) => name.toLowerCase()),

  'event.name-trimmed': () => inName((name) => name.trim()),

  'event.name-length-in-bytes': () =>
    patch(EventMaker, 'checkName', (original) => function (name) {
      original.call(this, name);
      if (Buffer.byteLength(name) > 255) throw invalidEvent('the name is too long');
    }),

  'event.name-normalised': () => inBody((body) => ({ ...body, eventName: body.eventName.normalize('NFD') })),

  // ----- Properties

  'event.true-is-one': () => inProperties((value) => (typeof value === 'boolean' ? Number(value) : value)),

  'event.big-numbers-rounded': () => inProperties((value) => (Number.isInteger(value) ? Math.fround(value) : value)),

  'event.big-numbers-wrap': () => inProperties((value) => (Number.isInteger(value) ? value | 0 : value)),

  'event.list-first-only': () => inProperties((value) => (Array.isArray(value) ? value.slice(0, 1) : value)),

  'event.no-properties-list': () =>
    inBody((body, { data }) => (Object.keys(data).length === 0 ? { ...body, eventData: [] } : body)),

  // ----- Times

  'event.local-time-with-z': () =>
    patch(LinkForty, 'track', (original) => function (session, event) {
      const time = localTime(new Date(event.time), this.platform.device().timezone);
      return original.call(this, session, { ...event, time });
    }),

  'event.time-as-number': () =>
    patch(EventMaker, 'timestamp', () => function () {
      return this.clock.now();
    }),

  'event.time-missing-with-properties': () =>
    inBody(({ timestamp, ...body }, { data }) => (Object.keys(data).length === 0 ? { ...body, timestamp } : body)),

  'event.opened-at-null': () => {
    patch(LinkForty, 'deliverUrl', (original) => function (session, url) {
      session.sender.linkOpenedAt = new Date(this.platform.clock.now()).toISOString();
      return original.call(this, session, url);
    });
    inBody((body, event, { linkOpenedAt = null }) => ({ ...body, linkOpenedAt }));
  },

  // ----- Answers

  'event.two-hundred-wanted': () =>
    patch(EventSender, 'send', (original) => async function (event, wanted) {
      const { status } = await original.call(this, event, wanted);
      if (status !== 200) throw new LinkFortyError('server', `HTTP ${status}`, { status });
    }),

  'event.accepted-late-stays-queued': () => {
    const departures = new WeakMap();
    patch(EventSender, 'deliverQueued', (original) => function (event) {
      departures.set(event, this.clock.now());
      return original.call(this, event);
    });
    patch(EventSender, 'accepted', (original) => function (event) {
      if (this.clock.now() - departures.get(event) <= 1000) return original.call(this, event);
      this.queue.departed.add(event); // this flush does not send the event again
      this.late = [...(this.late ?? []), event];
    });
    patch(EventSender, 'drain', (original) => async function () {
      return original.call(this).finally(() => {
        for (const event of this.late ?? []) this.queue.departed.delete(event);
        this.late = [];
      });
    });
  },

  'event.same-name-thrown-away': () =>
    patch(EventSender, 'track', (original) => async function (event) {
      this.latest ??= new Map();
      const now = this.clock.now();
      const isRepetition = now - (this.latest.get(event.name) ?? -Infinity) < 500;
      this.latest.set(event.name, now);
      if (!isRepetition) return original.call(this, event);
    }),

  'event.unknown-install-swallowed': () =>
    patch(Api, 'check', (original) => function (response) {
      return response.status === 404 ? { ...response, body: 'null' } : original.call(this, response);
    }),

  'event.redirected-as-get': () =>
    patch(Api, 'send', (original) => async function (request, signal) {
      const response = await original.call(this, request, signal);
      const { location } = response.headers;
      if (request.target !== this.target(PATH) || response.status !== 301 || !location) return response;
      const { base } = this.configuration;
      const next = new URL(location, `${base.secure ? 'https' : 'http'}://${this.hostField()}`);
      const { hostname: host, port, pathname, search } = next;
      return this.transport.send({
        method: 'GET', base: { secure: next.protocol === 'https:', host, port, path: '' }, target: pathname + search,
        headers: [['Host', next.host], ...this.courtesies()], keepAlive: false, signal,
      });
    }),

  'event.no-content-is-failure': () => {
    patch(EventSender, 'send', (original) => async function (event, wanted) {
      const { body } = await original.call(this, event, wanted);
      try {
        JSON.parse(body);
      } catch (cause) {
        throw new LinkFortyError('unreadable-answer', 'the answer is no JSON', { cause });
      }
    });
    patch(EventSender, 'isTold', (original) => function (error) {
      return error.code === 'unreadable-answer' || original.call(this, error);
    });
  },

  // ----- Events that cannot be sent yet

  'event.only-newest-kept': () =>
    patch(EventQueue, 'add', (original) => function (event) {
      this.events = [];
      return original.call(this, event);
    }),

  'event.no-id-dropped': () =>
    patch(EventSender, 'track', (original) => async function (event) {
      if (this.installIdOf(event)) return original.call(this, event);
    }),

  'event.during-start-dropped': () => {
    patch(LinkForty, 'askForInstall', (original) => async function (session, wanted) {
      session.isReporting = true;
      return original.call(this, session, wanted).finally(() => (session.isReporting = false));
    });
    patch(LinkForty, 'track', (original) => async function (session, event) {
      if (!session.isReporting) return original.call(this, session, event);
    });
  },

  'event.old-id-in-second-store': () => {
    patch(Memory, 'saveInstall', (original) => function (install) {
      original.call(this, install);
      if (!this.read('trackerId')) this.write('trackerId', install.installId);
    });
    patch(Memory, 'wipe', (original) => function () {
      const id = this.read('trackerId');
      original.call(this);
      if (id) this.write('trackerId', id);
    });
    inBody((body, event, { memory }) => ({ ...body, installId: memory.read('trackerId') ?? body.installId }));
  },
};
