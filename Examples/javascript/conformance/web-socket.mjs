// An adapter in a page: it opens a WebSocket to the kit, and each message is one text frame.
import { AdapterProcess } from './process.mjs';

export { Unsupported } from './process.mjs';

/** The kit wants the app killed: everything goes but what is stored. */
const KILLED = 4000;
/** The app has died of an error. */
const DIED = 4001;
const LONGEST_REASON = 40;
const BETWEEN_ATTEMPTS_MS = 200;

/**
 * Connects to the kit, again after each end. A page loads itself anew when the app is killed, or has ended for good.
 * @param {import('./process.mjs').Adapter} adapter
 * @param {string} url the address that the kit prints, with its token
 * @param {(text: string) => void} [note] says what happens
 */
export function connect(adapter, url, note = () => {}) {
  const socket = new WebSocket(url);
  const host = new AdapterProcess(adapter, {
    send: (message, written) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      written?.();
    },
    exit: () => socket.close(1000),
  });
  const die = (error) => socket.close(DIED, String(error).slice(0, LONGEST_REASON));
  addEventListener('error', ({ message }) => die(message));
  addEventListener('unhandledrejection', ({ reason }) => die(reason));
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    note('connected');
  };
  socket.onmessage = ({ data }) => host.receive(JSON.parse(data));
  socket.onclose = ({ code, reason }) => {
    note(`closed: ${code} ${reason}`);
    if (code !== KILLED) host.leave();
    if (wasOpen) return location.reload();
    setTimeout(() => connect(adapter, url, note), BETWEEN_ATTEMPTS_MS);
  };
}
