import http from 'node:http';
import https from 'node:https';

const LONGEST_ANSWER = 8 * 1024 * 1024;

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {import('./configuration.mjs').Base} base
 * @property {string} target  path and query, sent as they are
 * @property {[string, string][]} headers
 * @property {Uint8Array} [body]
 * @property {boolean} keepAlive
 * @property {AbortSignal} signal
 */

/**
 * An answer. When it broke off after its head, `broken` says why, and `body` is what came.
 * @typedef {{ status: number, headers: Record<string, string>, body: string, broken?: Error }} Response
 */

/** Sends requests over HTTP. Rejects when there is no answer at all. */
export class NodeTransport {
  agents = {
    http: new http.Agent({ keepAlive: true }),
    https: new https.Agent({ keepAlive: true }),
  };

  /** @param {Request} request @returns {Promise<Response>} */
  send(request) {
    return new Promise((resolve, reject) => this.start(request, resolve, reject));
  }

  /** Closes the connections that are kept. */
  close() {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  /** @private */
  start(request, resolve, reject) {
    const { signal } = request;
    const outgoing = this.open(request);
    // Whoever gives up must not have to wait until the socket has noticed.
    const abort = () => {
      reject(signal.reason);
      outgoing.destroy();
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    outgoing.on('error', (error) => {
      // The server had closed a kept connection just when we used it. A GET may be sent again.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET' && request.method === 'GET' && !signal.aborted) {
        signal.removeEventListener('abort', abort);
        return this.start({ ...request, keepAlive: false }, resolve, reject);
      }
      return reject(error);
    });
    outgoing.on('response', (incoming) => {
      signal.removeEventListener('abort', abort);
      collect(incoming, signal, resolve);
    });
    outgoing.end(request.body);
  }

  /** @private */
  open({ method, base, target, headers, keepAlive }) {
    return (base.secure ? https : http).request({
      method,
      host: base.host.replace(/^\[|\]$/g, ''),
      port: base.port || undefined,
      path: target,
      headers: headers.flat(),
      agent: keepAlive ? this.agents[base.secure ? 'https' : 'http'] : false,
      autoSelectFamily: true, // localhost may mean ::1, where nobody listens
    });
  }
}

/** Reads an answer to its end, or to where it breaks off. */
function collect(incoming, signal, resolve) {
  const pieces = [];
  let length = 0;
  let finished = false;
  const finish = (broken) => {
    if (finished) return;
    finished = true;
    signal.removeEventListener('abort', abort);
    if (broken) incoming.destroy(); // a connection whose answer came to its end may be used again
    const body = Buffer.concat(pieces).toString('utf8');
    resolve({ status: incoming.statusCode, headers: incoming.headers, body, broken });
  };
  const abort = () => finish(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  incoming.on('data', (piece) => {
    length += piece.length;
    if (length > LONGEST_ANSWER) return finish(new Error('the answer is too long'));
    pieces.push(piece);
  });
  incoming.on('end', () => finish(incoming.complete ? undefined : new Error('the answer broke off')));
  incoming.on('error', finish);
  incoming.on('close', () => finish(new Error('the answer broke off')));
}
