import { createServer } from 'node:http';
import { ClientAddresses } from './addresses.mjs';
import { ApiKeys } from './api-keys.mjs';
import { BodyReader } from './body.mjs';
import { Control } from './control.mjs';
import { ErrorAnswers, Refusal } from './errors.mjs';
import { EventIntake } from './events.mjs';
import { Health } from './health.mjs';
import { InstallReports } from './installs.mjs';
import { LinksApi } from './links-api.mjs';
import { Opening } from './opening.mjs';
import { RateLimiter } from './rate-limiter.mjs';
import { Resolve } from './resolve.mjs';
import { Router } from './router.mjs';
import { ClickStore, EventStore, InstallStore, LinkStore, TemplateStore } from './stores.mjs';

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
};

/** A LinkForty server. Its state is in memory, and is lost when the process ends. */
export class LinkFortyServer {
  addresses = new ClientAddresses();
  bodies = new BodyReader();
  errors = new ErrorAnswers();
  clock = { now: () => Date.now() };
  templates = new TemplateStore();
  links = new LinkStore(this);
  clicks = new ClickStore(this);
  installs = new InstallStore();
  events = new EventStore();

  /** @param {{ keys: string[], limit: number, control: boolean }} settings */
  constructor({ keys, limit, control }) {
    this.keys = new ApiKeys(keys);
    this.limiter = new RateLimiter({ limit, clock: this.clock });
    this.router = new Router([...(control ? new Control(this).routes() : []), ...this.routes()]);
  }

  /** `free` routes do not count against the limit of a client. */
  routes() {
    const links = new LinksApi(this);
    const opening = new Opening(this);
    const resolve = new Resolve(this);
    const route = (method, path, handle, free = false) => ({ method, path, handle, free });
    return [
      route('GET', '/api/sdk/v1/health', this.handler(new Health(this))),
      route('POST', '/api/sdk/v1/install', this.handler(new InstallReports(this))),
      route('POST', '/api/sdk/v1/event', this.handler(new EventIntake(this))),
      route('GET', '/api/sdk/v1/resolve/:code', this.handler(resolve)),
      route('GET', '/api/sdk/v1/resolve/:slug/:code', this.handler(resolve)),
      route('POST', '/api/sdk/v1/links', (exchange) => links.simplified(exchange)),
      route('POST', '/api/links', (exchange) => links.dashboard(exchange)),
      route('GET', '/:code', this.handler(opening), true),
      route('GET', '/:slug/:code', this.handler(opening), true),
    ];
  }

  handler(endpoint) {
    return (exchange) => endpoint.handle(exchange);
  }

  /** @returns {Promise<number>} the port */
  listen(port) {
    this.http = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => this.serve(request, response));
    this.http.on('clientError', (error, socket) => this.hangUp(error, socket));
    return new Promise((resolve, reject) => {
      this.http.on('error', reject);
      this.http.listen(port, '127.0.0.1', () => resolve(this.http.address().port));
    });
  }

  async serve(request, response) {
    const exchange = this.exchange(request);
    const answer = await this.answer(exchange);
    const headers = { ...CORS, ...this.limiter.headers(exchange.address), ...answer.headers };
    this.send(response, request.method, { ...answer, headers });
  }

  exchange(request) {
    const [, path, rawQuery = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)(?:\?(.*))?$/is.exec(request.url);
    return {
      request,
      path,
      rawQuery,
      query: new URLSearchParams(rawQuery),
      address: this.addresses.of(request),
      json: () => this.bodies.json(request),
    };
  }

  async answer(exchange) {
    try {
      return await this.dispatch(exchange);
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      return this.errors.answer(error, exchange);
    }
  }

  async dispatch(exchange) {
    const { method } = exchange.request;
    if (method === 'OPTIONS') return { status: 204 };
    const { route, params } = this.route(method, exchange);
    if (!route.free) this.limiter.count(exchange.address);
    return route.handle({ ...exchange, params });
  }

  /** Finds the route. A request without a route also counts against the limit. */
  route(method, { path, address }) {
    try {
      return this.router.find(method, path);
    } catch (error) {
      this.limiter.count(address);
      throw error;
    }
  }

  send(response, method, { status, headers, body, text }) {
    const content = body === undefined ? text : JSON.stringify(body);
    const type = body === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' };
    const length = content === undefined ? {} : { 'Content-Length': Buffer.byteLength(content) };
    response.writeHead(status, { ...type, ...length, ...headers });
    response.end(method === 'HEAD' ? undefined : content);
  }

  /** answers bytes that are not HTTP, and closes the connection */
  hangUp(error, socket) {
    if (!socket.writable) return socket.destroy();
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const body = JSON.stringify(this.errors.body(status, 'The request cannot be read'));
    const head = [
      `HTTP/1.1 ${status} Refused`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
}
