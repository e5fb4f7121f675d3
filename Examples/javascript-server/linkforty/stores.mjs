import { randomInt, randomUUID } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Templates: `{ id, slug, webUrl }`. */
export class TemplateStore {
  templates = [];

  add({ id = randomUUID(), slug, webUrl }) {
    const template = { id, slug, webUrl };
    this.templates.push(template);
    return template;
  }

  withId(id) {
    return this.templates.find((template) => template.id === id.toLowerCase());
  }

  withSlug(slug) {
    return this.templates.find((template) => template.slug === slug);
  }

  newest() {
    return this.templates.at(-1);
  }
}

/** Links: `{ id, code, template, active, expiresAt }` and their data. */
export class LinkStore {
  links = [];
  byCode = new Map();

  constructor({ clock }) {
    this.clock = clock;
  }

  add({ code = this.newCode(), ...rest }) {
    const link = { id: randomUUID(), code, active: true, createdAt: this.clock.now(), ...rest };
    this.links.push(link);
    this.index(link);
    return link;
  }

  index(link) {
    this.byCode.set(link.code, link);
  }

  newCode() {
    const code = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    return this.isTaken(code) ? this.newCode() : code;
  }

  isTaken(code) {
    return this.byCode.has(code);
  }

  withCode(code) {
    return this.byCode.get(code);
  }

  /** The link with this code. If there is a slug, it must be the slug of the link's template. */
  find(code, slug) {
    const link = this.withCode(code);
    return link && (slug === undefined || link.template?.slug === slug) ? link : undefined;
  }

  isExpired(link) {
    return link.expiresAt !== undefined && link.expiresAt <= this.clock.now();
  }

  isOpen(link) {
    return link.active && !this.isExpired(link);
  }

  newest() {
    return this.links.at(-1);
  }

  setState(link, state) {
    link.active = state !== 'inactive';
    link.expiresAt = state === 'expired' ? this.clock.now() - 1000 : undefined;
  }
}

/** Clicks: `{ link, device, clickedAt }`. */
export class ClickStore {
  clicks = [];

  constructor({ clock }) {
    this.clock = clock;
  }

  add(link, device) {
    const click = { link, device, clickedAt: this.clock.now() };
    this.clicks.push(click);
    return click;
  }

  all() {
    return this.clicks;
  }

  age(link, seconds) {
    for (const click of this.clicks.filter((one) => one.link === link)) click.clickedAt -= seconds * 1000;
  }
}

/** Installs: `{ id, report }`. Upper and lower case in ids are not distinguished. */
export class InstallStore {
  installs = new Map();

  add(report) {
    const install = { id: this.newId(report), report };
    this.keep(install);
    return install;
  }

  newId() {
    return randomUUID();
  }

  keep(install) {
    this.installs.set(install.id, install);
  }

  find(id) {
    return this.installs.get(this.key(id));
  }

  key(id) {
    return id.toLowerCase();
  }
}

/** Events: `{ id, install, name, data, at }`. */
export class EventStore {
  events = [];

  add(event) {
    const stored = { id: randomUUID(), ...event };
    this.events.push(stored);
    return stored;
  }
}
