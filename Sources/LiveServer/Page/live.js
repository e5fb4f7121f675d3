'use strict';
// The journal of the server, asked for each second. Texts of the app are only ever set as text.
const token = location.hash.slice(1);
const base = new URL('.', location.href).pathname;
const byId = (id) => document.getElementById(id);
const entries = new Map();
let last = 0;
let chosen = null;

async function ask(method, path, body) {
  const response = await fetch(base + path, {
    method, headers: { 'Conform-Token': token, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body), cache: 'no-store',
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function say(text, isLost = false) {
  const state = byId('state');
  if (state.textContent !== text) state.textContent = text;
  state.classList.toggle('lost', isLost);
}

function path(entry) {
  const [method, target] = (entry.request?.line ?? '').split(' ');
  return target === undefined ? entry.problem : `${method} ${target}`;
}

function notes(entry) {
  const found = entry.violations.flatMap((one) => one.findings.map((text) => `✗ ${one.requirement}  ${text}`));
  if (entry.problem) found.unshift(`✗ ${entry.problem}`);
  if (entry.nearMiss) found.unshift(`✗ ${entry.nearMiss}`);
  return found;
}

function isShown(entry) {
  if (byId('only-bad').checked && notes(entry).length === 0) return false;
  const wanted = byId('find').value.trim().toLowerCase();
  const text = [path(entry), entry.exchange, entry.status, ...notes(entry)].join(' ').toLowerCase();
  return text.includes(wanted);
}

function row(entry) {
  const made = element('tr');
  made.id = `entry-${entry.number}`;
  made.append(element('td', entry.at.slice(11, 23)));
  made.append(element('td', entry.status ?? (entry.fault ?? 'none'), entry.status < 400 ? 'ok' : 'bad'));
  made.append(element('td', entry.milliseconds ?? ''));
  const request = element('td');
  const button = element('button', path(entry));
  button.type = 'button';
  button.addEventListener('click', () => choose(entry));
  request.append(button, ...notes(entry).map((text) => element('span', text, 'note')));
  made.append(request, element('td', entry.exchange ?? '', 'faint'));
  return made;
}

function pretty(body) {
  try { return JSON.stringify(JSON.parse(body), null, 2); } catch { return body; }
}

function message(title, message) {
  const parts = [element('h2', title), element('pre', [message.line, ...message.headers.map(([name, value]) => `${name}: ${value}`)].join('\n'))];
  if (message.body) parts.push(element('pre', pretty(message.body)));
  return parts;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(entry) {
  const [method, target] = entry.request.line.split(' ');
  const left = ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'];
  const fields = entry.request.headers.filter(([name]) => !left.includes(name.toLowerCase()));
  const words = ['curl', '-i', '-X', quoted(method), ...fields.flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)])];
  if (entry.request.body) words.push('--data-raw', quoted(entry.request.body));
  return [...words, quoted(location.origin + target)].join(' ');
}

function choose(entry) {
  byId('rows').querySelector('.chosen')?.classList.remove('chosen');
  byId(`entry-${entry.number}`)?.classList.add('chosen');
  chosen = entry.number;
  const details = byId('details');
  const copy = element('button', 'Copy as curl');
  copy.type = 'button';
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(curl(entry));
    copy.textContent = 'Copied';
  });
  const parts = [element('h2', path(entry))];
  if (entry.request?.line) parts.push(copy);
  if (entry.nearMiss) parts.push(element('p', `✗ ${entry.nearMiss}`, 'bad'));
  if (entry.problem) parts.push(element('p', `✗ ${entry.problem}`, 'bad'));
  for (const one of entry.violations) {
    const box = element('div', undefined, 'violation');
    box.append(element('p', one.requirement, 'bad'), element('p', one.sentence), ...one.findings.map((text) => element('p', text, 'faint')));
    parts.push(box);
  }
  if (entry.fault) parts.push(element('p', `The fault '${entry.fault}' changed the answer.`));
  if (entry.request) parts.push(...message('Request', entry.request));
  if (entry.response) parts.push(...message(`Response after ${entry.milliseconds} ms`, entry.response));
  else parts.push(element('p', 'No answer was sent.', 'faint'));
  details.replaceChildren(...parts);
  details.scrollTop = 0;
  details.focus();
}

function show() {
  const rows = [...entries.values()].filter(isShown).reverse().map(row);
  byId('rows').replaceChildren(...rows);
  byId('empty').hidden = entries.size > 0;
  if (chosen) byId(`entry-${chosen}`)?.classList.add('chosen');
}

function options(select, all, current) {
  select.replaceChildren(...all.map(([value, text]) => new Option(text, value, false, value === current)));
}

function settle(settings) {
  byId('title').textContent = `${settings.title}: the server for your app`;
  options(byId('dialect'), settings.dialects.map((name) => [name, name]), settings.dialect);
  options(byId('fault'), [['', 'none'], ...settings.faults.map((one) => [one.name, one.text])], settings.fault ?? '');
  byId('fault').classList.toggle('on', settings.fault !== null);
}

async function change(settings) {
  try { settle(await ask('PATCH', 'server', settings)); } catch (error) { say(error.message, true); }
}

async function update() {
  try {
    const { count, open, requests } = await ask('GET', `requests?after=${last}`);
    for (const entry of requests) entries.set(entry.number, entry);
    for (const number of [...entries.keys()].slice(0, Math.max(0, entries.size - 500))) entries.delete(number);
    if (requests.length > 0) {
      last = Math.max(last, ...requests.map((entry) => entry.number));
      show();
    }
    say(`${count} ${count === 1 ? 'request' : 'requests'} since the start${open > 0 ? `, ${open} without an end` : ''}`);
  } catch (error) {
    say(error instanceof TypeError ? 'the server has ended' : error.message, true);
  }
  setTimeout(update, 1000);
}

byId('address').textContent = location.origin;
byId('dialect').addEventListener('change', (event) => change({ dialect: event.target.value }));
byId('fault').addEventListener('change', (event) => change({ fault: event.target.value || null }));
byId('reset').addEventListener('click', () => change({ reset: true }));
byId('clear').addEventListener('click', async () => {
  await ask('DELETE', 'requests');
  entries.clear();
  show();
});
for (const id of ['find', 'only-bad']) byId(id).addEventListener('input', show);
byId('controls').addEventListener('submit', (event) => event.preventDefault());
ask('GET', 'server').then(settle).catch((error) => say(error.message, true));
update();
