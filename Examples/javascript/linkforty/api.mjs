import { LinkFortyError } from './errors.mjs';

const SDK_NAME = 'linkforty-javascript';
export const SDK_VERSION = '1.0.0';
const TIMED_OUT = Symbol('timed out');

/**
 * Sends requests to the server of a configuration. Rejects with `network`, `timeout` or, for any status but 2xx, `server`.
 * If the head of the answer arrived before the error, the error has the status.
 */
export class Api {
  /** whether the platform has reported that the device has no network */
  offline = false;

  constructor({ configuration, choices, transport, clock, log }) {
    Object.assign(this, { configuration, choices, transport, clock, log });
  }

  /** @returns {Promise<import('./transport.mjs').Response>} */
  get(path, query, options) {
    return this.exchange({ method: 'GET', target: this.target(path) + query }, options);
  }

  /** @returns {Promise<import('./transport.mjs').Response>} */
  post(path, value, options) {
    const body = new TextEncoder().encode(this.encode(value));
    return this.exchange({ method: 'POST', target: this.target(path), body }, options);
  }

  encode(value) {
    return JSON.stringify(this.stamp(value));
  }

  stamp(value) {
    return this.choices.namesItself ? { ...value, sdkName: SDK_NAME, sdkVersion: SDK_VERSION } : value;
  }

  target(path) {
    return this.configuration.base.path + path;
  }

  /**
   * One exchange. It is repeated up to `retries` times, as long as `wanted` returns true.
   * @param {object} request
   * @param {{ retries?: number, timeout?: number, wanted?: () => boolean }} [options]
   */
  async exchange(request, { retries = 0, timeout = this.choices.timeout, wanted = () => true } = {}) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(request, timeout);
      } catch (error) {
        if (attempt >= retries || !this.mayPass(error)) throw error;
        await this.pause(attempt);
        if (!wanted()) throw error;
      }
    }
  }

  /** Whether the same request may succeed later. */
  mayPass(error) {
    if (error.code !== 'server') return !this.wasAccepted(error);
    return error.status < 400 || error.status >= 500 || error.status === 408 || error.status === 429;
  }

  /** Whether the server has accepted a request although its answer did not arrive as a whole. */
  wasAccepted(error) {
    return this.choices.acceptedWith === 'status' && error.code !== 'server' && isSuccess(error.status);
  }

  pause(attempt) {
    return new Promise((resolve) => this.clock.setTimeout(resolve, this.pauseBefore(attempt)));
  }

  pauseBefore(attempt) {
    return this.choices.retryPause * 2 ** attempt;
  }

  async attempt(request, timeout) {
    const abort = new AbortController();
    const timer = this.clock.setTimeout(() => abort.abort(TIMED_OUT), timeout);
    try {
      const response = await this.send(request, abort.signal);
      this.log(`${request.method} ${request.target} was answered with ${response.status}`);
      if (response.broken) throw this.noAnswer(response.broken, response.status);
      return this.check(response);
    } catch (error) {
      throw error instanceof LinkFortyError ? error : this.noAnswer(error);
    } finally {
      this.clock.clearTimeout(timer);
    }
  }

  async send({ method, target, body }, signal) {
    const { base } = this.configuration;
    const headers = this.headers(target, body);
    const request = { method, base, target, headers, body, keepAlive: this.choices.keepAlive, signal };
    const response = await this.transport.send(request);
    const next = this.redirection(response);
    return next ? this.transport.send({ ...request, target: next }) : response;
  }

  /** The target of a redirect, if it keeps the method and leads to the same server. */
  redirection({ status, headers }) {
    if (!this.choices.followsRedirects || (status !== 307 && status !== 308) || !headers.location) return undefined;
    const { base } = this.configuration;
    const origin = `${base.secure ? 'https' : 'http'}://${base.host}${base.port && `:${base.port}`}`;
    const next = new URL(headers.location, origin);
    return next.origin === new URL(origin).origin ? next.pathname + next.search : undefined;
  }

  check(response) {
    if (isSuccess(response.status)) return response;
    throw new LinkFortyError('server', this.complaint(response), { status: response.status });
  }

  noAnswer(cause, status) {
    const timedOut = cause === TIMED_OUT;
    const code = timedOut && !this.choices.fewErrors ? 'timeout' : 'network';
    return new LinkFortyError(code, timedOut ? 'the server did not answer in time' : cause.message, { status, cause });
  }

  /** The error message of the server, if there is one. */
  complaint({ status, body }) {
    try {
      const { message, error } = JSON.parse(body);
      return `HTTP ${status}: ${message ?? error}`;
    } catch {
      return `HTTP ${status}`;
    }
  }

  /** @returns {[string, string][]} */
  headers(target, body) {
    const sender = [...this.authorization(target), ...this.courtesies()];
    const headers = [['Host', this.hostField()], ...sender, ...this.bodyFields(body)];
    const inOrder = this.choices.headersReversed ? headers.reverse() : headers;
    return inOrder.map(([name, value]) => [this.spell(name), value]);
  }

  hostField() {
    const { host, port } = this.configuration.base;
    return port ? `${host}:${port}` : host;
  }

  /** "When an API key is configured, send it": this applies to every endpoint. */
  authorization() {
    const { apiKey } = this.configuration;
    return apiKey ? [['Authorization', `Bearer ${apiKey}`]] : [];
  }

  courtesies() {
    if (this.choices.headersBare) return [];
    const fields = [['Accept', 'application/json'], ['User-Agent', `${SDK_NAME}/${SDK_VERSION}`]];
    return this.choices.namesItself ? [...fields, ['X-LinkForty-SDK', `${SDK_NAME}/${SDK_VERSION}`]] : fields;
  }

  bodyFields(body) {
    if (!body) return [];
    const length = this.choices.chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)];
    return [['Content-Type', this.contentType()], length];
  }

  contentType() {
    return this.choices.charsetNamed ? 'application/json; charset=utf-8' : 'application/json';
  }

  spell(name) {
    if (this.choices.headerCase === 'lower') return name.toLowerCase();
    return this.choices.headerCase === 'upper' ? name.toUpperCase() : name;
  }
}

function isSuccess(status) {
  return status >= 200 && status < 300;
}
