// An adapter in a page: it opens a WebSocket to the kit, and each message is one text frame.
import { AdapterProcess } from './process.mjs';

export { Unsupported } from './process.mjs';

/** The kit kills the app: all data except stored data is lost. */
const KILLED = 4000;
/** The app has died because of an error. */
const DIED = 4001;
const LONGEST_REASON = 40;
const BETWEEN_ATTEMPTS_MS = 200;

/**
 * Connects to the kit, and connects again after each end. If the app is killed or has ended, the page reloads itself.
 * @param {import('./process.mjs').Adapter} adapter
 * @param {string} url the address that the kit prints, with its token
 * @param {(text: string) => void} [note] reports events
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
