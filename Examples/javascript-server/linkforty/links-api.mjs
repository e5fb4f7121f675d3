import { Refusal } from './errors.mjs';
import { Shape } from './shape.mjs';

const CAMPAIGN = ['source', 'medium', 'campaign', 'term', 'content'];
const RESERVED = ['api', 'health', '_conform'];

/** POST /api/sdk/v1/links and /api/links: clients with a key create links. */
export class LinksApi {
  constructor(server) {
    this.server = server;
  }

  /** the simplified endpoint, which uses the newest template */
  async simplified(exchange) {
    this.checkKey(exchange);
    const order = this.read(await exchange.json());
    return this.serve(exchange, order, this.server.templates.newest());
  }

  /** the endpoint of the dashboard, whose requests name the template */
  async dashboard(exchange) {
    this.checkDashboardKey(exchange);
    const order = this.read(await exchange.json());
    return this.serve(exchange, order, this.template(order));
  }

  checkKey({ request }) {
    this.server.keys.check(request);
  }

  checkDashboardKey(exchange) {
    this.checkKey(exchange);
  }

  template({ templateId }) {
    if (templateId === undefined) throw new Refusal(400, 'templateId is required');
    const template = this.server.templates.withId(templateId);
    if (!template) throw new Refusal(404, 'There is no such template');
    return template;
  }

  members() {
    return {
      templateId: { type: 'text' },
      templateSlug: { type: 'text' },
      deepLinkParameters: { type: 'object' },
      title: { type: 'text', longest: 255 },
      description: { type: 'text', longest: 4096 },
      customCode: { type: 'text', check: (value) => this.checkCode(value) },
      utmParameters: { type: 'object' },
      externalUserId: { type: 'text' },
      iosUrl: { type: 'text' },
      androidUrl: { type: 'text' },
      webUrl: { type: 'text' },
      deepLinkPath: { type: 'text' },
      appScheme: { type: 'text' },
      attributionWindowHours: { type: 'number', check: (value) => this.checkWindow(value) },
    };
  }

  read(body) {
    const order = new Shape(this.members()).read(body);
    if (order.utmParameters) order.utmParameters = this.campaign(order.utmParameters);
    return order;
  }

  campaign(parameters) {
    return new Shape(Object.fromEntries(CAMPAIGN.map((name) => [name, { type: 'text' }]))).read(parameters);
  }

  checkCode(code) {
    if (!this.isWritable(code)) return 'has to have 3 to 20 letters, digits, - and _';
    return this.isReserved(code) ? 'is the name of a route' : undefined;
  }

  isWritable(code) {
    return /^[A-Za-z0-9_-]{3,20}$/.test(code);
  }

  isReserved(code) {
    return RESERVED.includes(code);
  }

  checkWindow(hours) {
    return this.isWindow(hours) ? undefined : 'has to be a whole number from 1 to 2160';
  }

  isWindow(hours) {
    return Number.isInteger(hours) && hours >= 1 && hours <= 2160;
  }

  serve(exchange, order, template) {
    const known = this.findEqual(order);
    if (known) return this.answer(exchange, known, true);
    const code = order.customCode;
    const free = code === undefined || !this.server.links.isTaken(code) ? code : this.taken(code);
    return this.answer(exchange, this.make(order, template, free), false);
  }

  /** an active link that the same user created with the same options */
  findEqual(order) {
    const key = this.key(order);
    return key && this.server.links.links.find((link) => link.orderKey === key && this.server.links.isOpen(link));
  }

  key(order) {
    return this.user(order) ? this.canonical(order) : undefined;
  }

  user({ externalUserId }) {
    return externalUserId;
  }

  /** the value as JSON with sorted names */
  canonical(value) {
    return JSON.stringify(value, (name, member) =>
      member !== null && typeof member === 'object' && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
        : member);
  }

  taken() {
    throw new Refusal(409, 'The custom code is taken');
  }

  make(order, template, code) {
    const { templateId, templateSlug, customCode, deepLinkParameters, ...rest } = order;
    return this.server.links.add({ ...rest, code, template, customParameters: deepLinkParameters, orderKey: this.key(order) });
  }

  answer(exchange, link, deduplicated) {
    return { status: 200, body: { url: this.url(exchange, link), shortCode: link.code, linkId: link.id, deduplicated } };
  }

  url(exchange, link) {
    return `http://${exchange.request.headers.host}${this.path(link)}`;
  }

  path({ template, code }) {
    return template ? `/${encodeURIComponent(template.slug)}/${code}` : `/${code}`;
  }
}
