// The adapter in a page. In the page's address, the address of the kit follows the #.
import { CAPABILITIES } from '../capabilities.mjs';
import { connect } from '../conformance/web-socket.mjs';
import { COMMANDS, errorOf, Phone } from '../phone.mjs';
import { FetchTransport } from './fetch-transport.mjs';
import { corruptStored, LocalStorage } from './local-storage.mjs';

/** A page uses the authorities and the name resolution of the browser. */
const NOT_IN_A_PAGE = ['tls'];

const partsOf = ({ storage }) => ({
  transport: new FetchTransport(),
  storage: (choices, log) => new LocalStorage(storage, choices, log),
  corrupt: (name, garbage) => corruptStored(storage, name, garbage),
});

const adapter = {
  hello: {
    protocol: 'linkforty',
    specRevision: '2026-03-12',
    sdk: { name: 'linkforty-javascript', version: '1.0.0', language: 'javascript', platform: 'web' },
    capabilities: CAPABILITIES.filter((name) => !NOT_IN_A_PAGE.includes(name)),
    clocks: ['virtual', 'scaled', 'real'],
    instances: 'many',
    host: ['kill'], // the page reloads itself
  },
  open: (app) => new Phone(app, partsOf(app)),
  close: (phone) => phone.close(),
  errorOf,
  commands: COMMANDS,
};

const log = document.querySelector('#log');
connect(adapter, decodeURIComponent(location.hash.slice(1)), (text) => {
  log.textContent = text;
});
