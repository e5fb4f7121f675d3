// An adapter that serves HTTP, for systems on which the kit cannot start a program. A session runs one app after
// another, like a process. GET opens the stream of messages, and POST sends commands. The header Conform-Session names the session.
import http from 'node:http';
import { AdapterProcess } from './process.mjs';

/**
 * Serves sessions. Each session has its own adapter.
 * @param {() => import('./process.mjs').Adapter} makeAdapter
 * @param {{ port: number, prepare?: (params: object) => void }} place
 * @returns {http.Server}
 */
export function listen(makeAdapter, { port, prepare }) {
  const sessions = new Map();
  const server = http.createServer((request, response) => {
    const session = request.headers['conform-session'];
    if (!session) return response.writeHead(400).end('the header Conform-Session is missing\n');
    if (request.method === 'GET') return open(session, response);
    if (request.method === 'POST') return take(sessions.get(session), request, response);
    return response.writeHead(405, { Allow: 'GET, POST' }).end();
  });

  function open(session, response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.flushHeaders();
    const host = new AdapterProcess(makeAdapter(), {
      send: (message, written) => response.write(`data: ${JSON.stringify(message)}\n\n`, written),
      exit: () => response.end(),
      prepare,
    });
    sessions.set(session, host);
    response.on('close', () => {
      sessions.delete(session);
      host.leave();
    });
  }

  return server.listen(port, '127.0.0.1');
}

/** Starts the commands of a request, one on each line. Answers the request at once; replies go to the stream. */
async function take(host, request, response) {
  if (!host) return response.writeHead(404).end('there is no such session: open its stream first\n');
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString('utf8').split('\n');
  for (const line of lines) if (line) host.receive(JSON.parse(line));
  response.writeHead(202).end();
}
