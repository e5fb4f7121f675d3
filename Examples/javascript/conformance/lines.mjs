// Framing: one JSON object on each line of stdin and of stdout. stdout has no other output.
import { Console } from 'node:console';

const NEWLINE = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reserves stdout for the caller. From now on, all other prints go to stderr, prints of the SDK too.
 * @returns {(message: object, written?: () => void) => void} writes one message as one line
 */
export function takeStdout() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.on('error', (error) => giveUp('the kit does not listen any more', error));
  // Writes to a pipe are synchronous here, so a written line is not lost if the process dies.
  return (message, written) => write(JSON.stringify(message) + '\n', written);
}

/**
 * Calls back for each line with its object, and at the end of the stream.
 * Lines are cut as bytes: a character may be split between two chunks.
 * @param {NodeJS.ReadableStream} stream
 * @param {(message: object) => void} onMessage
 * @param {() => void} onEnd
 */
export function readLines(stream, onMessage, onEnd) {
  let pieces = [];
  stream.on('data', (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      onMessage(parse(Buffer.concat(pieces)));
      pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
  stream.on('end', onEnd);
}

/** Ends the process if the adapter itself has failed, since it cannot reply with an error any more. */
export function giveUp(why, error) {
  process.stderr.write(`adapter: ${why}: ${error?.stack ?? error}\n`);
  process.exit(70);
}

function parse(line) {
  try {
    return JSON.parse(decoder.decode(line)); // a carriage return before the newline is white space to JSON
  } catch (error) {
    return giveUp('a line is not JSON', error);
  }
}
