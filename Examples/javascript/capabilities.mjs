/** The capabilities of the SDK, with the names of the protocol. */
export const CAPABILITIES = [
  'initialization', 'deferred-deep-links', 'direct-deep-links', 'events', 'revenue', 'links', 'user-identity',
  'install-data', 'first-launch', 'offline-queue', 'data-management', 'reset', 'device-id', 'app-token',
  'storage-corruption', 'second-instance', 'set-device', 'platform-urls', 'network-hint', 'tls',
];
