// Serves this folder at a free port of this machine, and opens the page in Chromium without a window.
//   bin/conform run --sdk ws:// --relaunch 'node Examples/javascript/browser/open.mjs'
// CHROMIUM is the program of the browser. The kit sets CONFORM_ADAPTER_URL, the address to which the page connects.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const TYPES = { '.html': 'text/html; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8' };
const { CONFORM_ADAPTER_URL: kit, CHROMIUM = 'chromium' } = process.env;
if (!kit) throw new Error('CONFORM_ADAPTER_URL is missing: conform run --relaunch sets it');

const server = http.createServer((request, response) => {
  const file = path.join(ROOT, path.normalize(new URL(request.url, 'http://page').pathname));
  const type = TYPES[path.extname(file)];
  if (!type || !file.startsWith(ROOT) || !fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  fs.createReadStream(file).pipe(response);
});

server.listen(0, '127.0.0.1', () => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'conform-page-'));
  const page = `http://127.0.0.1:${server.address().port}/browser/index.html#${encodeURIComponent(kit)}`;
  const flags = ['--headless=new', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`];
  if (process.getuid?.() === 0) flags.push('--no-sandbox'); // Chromium has no sandbox for root
  const browser = spawn(CHROMIUM, [...flags, page], { stdio: 'ignore' });
  const end = () => {
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    process.exit(0);
  };
  browser.on('error', (error) => {
    console.error(`${CHROMIUM} does not start: ${error.message}`);
    process.exit(1);
  });
  browser.on('exit', end);
});
