// An adapter as a program: it reads commands from stdin and writes replies to stdout. Copy this folder, and write one
// function for each command: see ../adapter.mjs. For a page, see web-socket.mjs.
import { giveUp, readLines, takeStdout } from './lines.mjs';
import { lend } from './network.mjs';
import { AdapterProcess } from './process.mjs';

export { Unsupported } from './process.mjs';

/** Serves commands until the kit ends the process. @param {import('./process.mjs').Adapter} adapter */
export function serve(adapter) {
  const host = new AdapterProcess(adapter, { send: takeStdout(), exit: () => process.exit(0), prepare: lend });
  process.on('uncaughtException', (error) => giveUp('the app died', error));
  process.on('unhandledRejection', (error) => giveUp('the app died of a promise that nobody looked after', error));
  readLines(process.stdin, (message) => host.receive(message), () => host.end());
}
