// A LinkForty server:
//   node main.mjs --port 3000 [--control]
// LINKFORTY_API_KEYS contains the keys for creating links. LINKFORTY_RATE_LIMIT limits the requests of a client in a minute.
// --control adds routes. With these routes, provisioning.yaml brings the server into the states that cases need.
import { parseArgs } from 'node:util';
import { LinkFortyServer } from './linkforty/server.mjs';

const options = { port: { type: 'string', default: '3000' }, control: { type: 'boolean', default: false } };
const { values } = parseArgs({ options });
const { CONFORM_DEFECT, LINKFORTY_API_KEYS = '', LINKFORTY_RATE_LIMIT = '100' } = process.env;
if (CONFORM_DEFECT) (await import('./strangers/index.mjs')).breakServer(CONFORM_DEFECT);

const server = new LinkFortyServer({
  keys: LINKFORTY_API_KEYS.split(',').filter(Boolean),
  limit: Number(LINKFORTY_RATE_LIMIT),
  control: values.control,
});
server.templates.add({ id: '3e8f2a17-b6c9-4d50-91e4-7f0ac5d86b23', slug: 'summer', webUrl: 'https://shop.example.com/' });
const port = await server.listen(Number(values.port));
console.log(`http://127.0.0.1:${port}`);
