import http from 'node:http';
import https from 'node:https';

const LONGEST_ANSWER = 8 * 1024 * 1024;

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {import('./configuration.mjs').Base} base
 * @property {string} target  path and query, sent unchanged
 * @property {[string, string][]} headers
 * @property {Uint8Array} [body]
 * @property {boolean} keepAlive
 * @property {AbortSignal} signal
 */

/**
 * An answer. If it broke off after its head, `broken` is the reason, and `body` is the received part.
 * @typedef {{ status: number, headers: Record<string, string>, body: string, broken?: Error }} Response
 */

/** Sends requests over HTTP. Rejects if no part of an answer arrives. */
export class NodeTransport {
  agents = {
    http: new http.Agent({ keepAlive: true }),
    https: new https.Agent({ keepAlive: true }),
  };

  /** @param {Request} request @returns {Promise<Response>} */
  send(request) {
    return new Promise((resolve, reject) => this.start(request, resolve, reject));
  }

  /** Closes the kept connections. */
  close() {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  /** @private */
  start(request, resolve, reject) {
    const { signal } = request;
    const outgoing = this.open(request);
    // A cancelled request ends at once, without waiting for the socket.
    const abort = () => {
      reject(signal.reason);
      outgoing.destroy();
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    outgoing.on('error', (error) => {
      // The server closed a kept connection while the SDK was using it. A GET may be sent again.
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
      autoSelectFamily: true, // localhost may mean ::1, at which no server listens
    });
  }
}

/** Reads an answer until it ends or breaks off. */
function collect(incoming, signal, resolve) {
  const pieces = [];
  let length = 0;
  let finished = false;
  const finish = (broken) => {
    if (finished) return;
    finished = true;
    signal.removeEventListener('abort', abort);
    if (broken) incoming.destroy(); // after a complete answer, the connection may be used again
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
