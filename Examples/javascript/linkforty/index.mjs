export { LinkForty } from './linkforty.mjs';
export { LinkFortyError } from './errors.mjs';
export { NodeTransport } from './transport.mjs';
