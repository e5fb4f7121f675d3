const LONGEST_ANSWER = 8 * 1024 * 1024;
/** The number of connections that browsers open to one server. */
const CONNECTIONS = 6;
/** The time, in reality, that a browser takes to close the connection of a request that was given up. */
const CLOSING_MS = 20;

/** Sends requests with `fetch`. Rejects when there is no answer at all. */
export class FetchTransport {
  connections = 0;
  waiting = [];

  /**
   * The clock counts a request from the moment at which it has a connection: what waits for one has not left yet.
   * @param {import('../linkforty/transport.mjs').Request} request
   * @returns {Promise<import('../linkforty/transport.mjs').Response>}
   */
  async send(request, clock) {
    if (this.connections === CONNECTIONS) await this.connection(request.signal);
    else this.connections += 1;
    try {
      return await clock.request(() => exchange(request));
    } finally {
      if (request.signal.aborted) await clock.work(new Promise((resolve) => setTimeout(resolve, CLOSING_MS)));
      const next = this.waiting.shift();
      if (next) next();
      else this.connections -= 1;
    }
  }

  close() {}

  /** Waits for a connection, until the request is given up. @private */
  connection(signal) {
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      signal.addEventListener('abort', () => {
        const place = this.waiting.indexOf(resolve);
        if (place < 0) return; // it has its connection
        this.waiting.splice(place, 1);
        reject(signal.reason);
      });
    });
  }
}

async function exchange({ method, base, target, headers, body, signal }) {
  const origin = `${base.secure ? 'https' : 'http'}://${base.host}${base.port ? `:${base.port}` : ''}`;
  const options = { method, headers, body, signal, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' };
  const answer = await fetch(origin + target, options);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), ...(await collect(answer)) };
}

/** Reads an answer to its end, or to where it breaks off. */
async function collect(answer) {
  const decoder = new TextDecoder();
  let body = '';
  try {
    for (let reader = answer.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      body += decoder.decode(value, { stream: true });
      if (body.length > LONGEST_ANSWER) throw new Error('the answer is too long');
    }
    return { body: body + decoder.decode() };
  } catch (broken) {
    return { body, broken };
  }
}
