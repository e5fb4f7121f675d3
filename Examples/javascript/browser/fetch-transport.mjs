const LONGEST_ANSWER = 8 * 1024 * 1024;

/** Sends requests with `fetch`. Rejects when there is no answer at all. */
export class FetchTransport {
  /**
   * @param {import('../linkforty/transport.mjs').Request} request
   * @returns {Promise<import('../linkforty/transport.mjs').Response>}
   */
  async send({ method, base, target, headers, body, signal }) {
    const origin = `${base.secure ? 'https' : 'http'}://${base.host}${base.port ? `:${base.port}` : ''}`;
    const options = { method, headers, body, signal, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' };
    const answer = await fetch(origin + target, options);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), ...(await collect(answer)) };
  }

  close() {}
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
