// The adapter of the LinkForty SDK in this folder, as a program for Node: over its standard streams, or over HTTP.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { CAPABILITIES } from './capabilities.mjs';
import { serve } from './conformance/adapter.mjs';
import { listen } from './conformance/http.mjs';
import { lend } from './conformance/network.mjs';
import { NodeTransport } from './linkforty/index.mjs';
import { corruptFile, FolderStorage } from './linkforty/storage.mjs';
import { broken, COMMANDS, errorOf, Phone } from './phone.mjs';

// Adds a defect to the SDK, or makes it use other legal choices. See defects.mjs. For many changes at once, see
// profiles.yaml.
const { CONFORM_DEFECT: defect, CONFORM_VARIANT: variant, CONFORM_PROFILE: profile } = process.env;
const changes = [
  profile && (await import('./profiles.mjs')).arrangeProfile(profile, CAPABILITIES),
  (defect || variant) && (await import('./defects.mjs')).arrange(defect, variant),
].filter(Boolean);
const choices = Object.assign({}, ...changes.map((change) => change.choices));
const without = changes.flatMap((change) => change.without);
const declares = changes.some((change) => change.declares) && Object.assign({}, ...changes.map((change) => change.declares));
const otherCommands = Object.assign({}, ...changes.map((change) => change.commands));

/** The clock counts each request until its answer has arrived. */
const counted = (transport) => ({
  send: (request, clock) => clock.request(() => transport.send(request)),
  close: () => transport.close(),
});

/** The phone of an app. With --broken, the functions of its SDK throw. */
function open(app) {
  const phone = new Phone(app, partsOf(app), choices);
  if (process.argv.includes('--broken')) phone.sdk = broken(phone.sdk);
  return phone;
}

/** The parts that a process provides: a folder, and the HTTP of Node. */
const partsOf = ({ storage }) => ({
  transport: counted(new NodeTransport()),
  storage: (choices, log) => new FolderStorage(storage, choices, log),
  corrupt: (name, garbage) => corruptFile(storage, name, garbage),
});

/** The package URL of the SDK. */
function packageOfSDK() {
  const { name, version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url)));
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** The files of the SDK with their digests. With these, a record shows which SDK was tested. */
function filesOfSDK() {
  const folder = new URL('linkforty/', import.meta.url);
  const digest = (name) => createHash('sha256').update(readFileSync(new URL(name, folder))).digest('hex');
  return Object.fromEntries(readdirSync(folder).sort().map((name) => [`linkforty/${name}`, digest(name)]));
}

const adapter = {
  hello: {
    protocol: 'linkforty',
    specRevision: '2026-03-12',
    sdk: {
      name: 'linkforty-javascript', version: '1.0.0', language: 'javascript', platform: 'android',
      package: packageOfSDK(), files: filesOfSDK(),
    },
    capabilities: CAPABILITIES.filter((name) => !without.includes(name)),
    ...(declares ? { declares } : {}),
    clocks: ['virtual', 'scaled', 'real'],
    instances: 'many',
  },

  open,
  close: (phone) => phone.close(),
  errorOf: changes.find((change) => change.errorOf)?.errorOf ?? errorOf,

  commands: { ...COMMANDS, ...otherCommands },
};

// --port N serves HTTP instead: conform run --sdk http://127.0.0.1:N/
const port = process.argv[process.argv.indexOf('--port') + 1];
if (process.argv.includes('--port')) {
  // The SDK stores in the folders of the kit. The kit cannot kill one session without the others.
  listen(() => ({ ...adapter, hello: { ...adapter.hello, host: ['files'] } }), { port: Number(port), prepare: lend });
} else serve(adapter);
