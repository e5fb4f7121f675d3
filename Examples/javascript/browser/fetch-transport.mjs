const LONGEST_ANSWER = 8 * 1024 * 1024;
/** The largest number of connections that browsers open to one server. */
const CONNECTIONS = 6;
/** The real time that a browser takes to close the connection of a cancelled request. */
const CLOSING_MS = 20;

/** Sends requests with `fetch`. Rejects if no part of an answer arrives. */
export class FetchTransport {
  connections = 0;
  waiting = [];

  /**
   * The clock counts a request only while it has a connection, since a waiting request is not sent yet.
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

  /** Waits for a connection. Stops if the request is cancelled. @private */
  connection(signal) {
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      signal.addEventListener('abort', () => {
        const place = this.waiting.indexOf(resolve);
        if (place < 0) return; // the request has a connection already
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

/** Reads an answer until it ends or breaks off. */
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
