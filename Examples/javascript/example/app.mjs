// An app around the SDK: it starts the SDK, receives deferred and direct deep links, and creates a link.
//
// usage: node example/app.mjs BASE-URL API-KEY
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { LinkForty, NodeTransport } from '../linkforty/index.mjs';
import { FolderStorage } from '../linkforty/storage.mjs';

const [baseUrl, apiKey] = process.argv.slice(2);
if (!apiKey) {
  console.error('usage: node example/app.mjs BASE-URL API-KEY');
  process.exit(2);
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'linkforty-'));
const transport = new NodeTransport();
const sdk = LinkForty.shared({
  transport,
  storage: (choices, log) => new FolderStorage(folder, choices, log),
  clock: { now: () => Date.now(), setTimeout, clearTimeout },
  device: () => ({
    appName: 'Example', appVersion: '1.0.0', platform: 'Android', platformVersion: '14', timezone: 'Europe/Berlin',
    language: 'de-DE', screenWidth: 412, screenHeight: 915, scale: 2.625,
  }),
});

// The link on which the person clicked before the app was installed; null if there was none.
sdk.onDeferredDeepLink((link) => console.log('deferred deep link:', link));
// The links that open the installed app.
sdk.onDeepLink((link) => console.log('direct deep link:', link));

await sdk.initialize({ baseUrl, apiKey });
console.log('install:', sdk.getInstallId());
const { url } = await sdk.createLink({ originalUrl: 'https://example.org/offer', title: 'Offer' });
console.log('created:', url);
await sdk.handleUrl(url);
sdk.close();
transport.close();
rmSync(folder, { recursive: true });
