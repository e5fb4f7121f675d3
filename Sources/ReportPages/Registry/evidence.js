"use strict";
// Reads a bundle in the browser, and shows each verdict with the conversation that it rests on. The bundle is sent nowhere.
const limit = 500;
const byId = (id) => document.getElementById(id);
const utf8 = new TextDecoder();
let verdicts = [];
let files = new Map();

// Controls and marks that change the direction of text are shown by their numbers.
const visible = (text) =>
  String(text).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (one) =>
    "\\u{" + one.charCodeAt(0).toString(16) + "}");
const make = (name, text, className) => {
  const one = document.createElement(name);
  if (text !== undefined) one.textContent = visible(text);
  if (className) one.className = className;
  return one;
};
const digest = async (bytes) =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
const jsonLines = (bytes) => utf8.decode(bytes).split("\n").filter(Boolean).map((line) => JSON.parse(line));

// The files of a tar archive by their names.
function unpacked(bytes) {
  const found = new Map();
  const field = (at, length) => utf8.decode(bytes.subarray(at, at + length)).split("\0")[0];
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
    const size = parseInt(field(at + 124, 12), 8);
    const folder = field(at + 345, 155);
    if (field(at + 257, 5) !== "ustar" || !(size >= 0) || at + 512 + size > bytes.length) throw new Error("not a bundle");
    found.set((folder ? folder + "/" : "") + field(at, 100), bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  if (!found.has("run.jsonl") || !found.has("certificate.dsse.json")) throw new Error("not a bundle");
  return found;
}

// Compares the digests of the statement and of the record with the files. Returns one sentence for each difference.
async function differences(record) {
  const envelope = JSON.parse(utf8.decode(files.get("certificate.dsse.json")));
  const payload = Uint8Array.from(atob(envelope.payload), (letter) => letter.charCodeAt(0));
  const stated = JSON.parse(utf8.decode(payload)).subject[0].digest.sha256;
  const found = [];
  if (stated !== (await digest(files.get("run.jsonl")))) found.push("The record is not the record of the statement.");
  for (const line of record) {
    if (line.record !== "case") continue;
    const bytes = files.get(evidence(line));
    if (!bytes) found.push("The bundle lacks '" + evidence(line) + "'.");
    else if ((await digest(bytes)) !== line.evidenceDigest) found.push("'" + evidence(line) + "' is not the transcript of the record.");
  }
  return found;
}
const evidence = (line) => "evidence/" + line.evidence.split("/").pop();
const nameOf = (one) => one.case + (one.row ? "[" + one.row + "]" : "") + "@" + one.dialect;

// Shows the bundle; if the bytes are not a bundle, shows nothing of an earlier one.
async function open(bytes) {
  byId("bundle").hidden = byId("details").hidden = true;
  try {
    await show(bytes);
    byId("problem").textContent = "";
    byId("bundle").hidden = false;
  } catch {
    byId("problem").textContent = "The file is not a bundle.";
  }
}
async function show(bytes) {
  files = unpacked(bytes);
  const record = jsonLines(files.get("run.jsonl"));
  const found = await differences(record);
  const cases = new Map(record.filter((line) => line.record === "case").map((line) => [nameOf(line.instance), line]));
  verdicts = record.filter((line) => line.record === "verdict").map((verdict) => {
    const name = nameOf(verdict.instance);
    const run = cases.get(name);
    const cells = [verdict.requirement, verdict.disposition, name];
    return { verdict, run, cells, text: (cells.join("\n") + "\n" + (run ? run.title : "") + "\n" + verdict.rule.text).toLowerCase() };
  });
  const subjects = record.filter((line) => line.record === "subject").map((line) => line.name + " " + line.version);
  byId("subject").textContent = visible(subjects.join(" with "));
  const transcripts = cases.size === 1 ? "the transcript has the digest" : "the " + cases.size + " transcripts have the digests";
  byId("digests").replaceChildren(
    ...(found.length ? found.map((text) => make("li", text, "fail")) : [make("li", "The record has the digest of the statement, and " + transcripts + " of the record.", "pass")]));
  const words = Array.from(new Set(verdicts.map((one) => one.verdict.disposition))).sort();
  byId("disposition").replaceChildren(new Option("all", ""), ...words.map((word) => new Option(word)));
  filter();
}

function filter() {
  const wanted = byId("text").value.trim().toLowerCase();
  const word = byId("disposition").value;
  const fitting = verdicts.filter((one) => one.text.includes(wanted) && (!word || one.verdict.disposition === word));
  const rows = fitting.slice(0, limit).map((one) => {
    const row = make("tr");
    const button = make("button", one.cells[0]);
    button.addEventListener("click", () => showVerdict(one));
    const head = make("th");
    head.scope = "row";
    head.append(button);
    row.append(head, make("td", one.cells[1], one.verdict.disposition), make("td", one.cells[2]));
    return row;
  });
  byId("rows").replaceChildren(...rows);
  byId("shown").textContent = fitting.length + " of " + verdicts.length + (verdicts.length === 1 ? " verdict" : " verdicts") + (fitting.length > limit ? ", the first " + limit + " shown" : "");
}

// What an entry of a transcript is, in one line.
const titles = {
  "step-began": (one) => "step " + one.place + ": " + one.word + (one.label ? " '" + one.label + "'" : ""),
  command: (one) => "call " + one.name + " " + JSON.stringify(one.params),
  reply: (one) => "reply " + JSON.stringify(one.error ? { error: one.error } : "noReply" in one ? { noReply: one.noReply } : one.result),
  callback: (one) => "callback " + one.handle + " " + JSON.stringify(one.value),
  request: (one) => "request to " + one.upstream + ": " + one.request.line,
  response: (one) => "answer of " + one.upstream + ": " + one.response.line,
};
function shownEntry(entry) {
  const { n, at, event, ...rest } = entry;
  const title = titles[event] ? titles[event](entry) : event + " " + JSON.stringify(rest);
  const message = entry.request || entry.response;
  const item = make("li");
  const line = make("code", "#" + n + "  " + title);
  if (!message) {
    item.append(line);
    return item;
  }
  const details = make("details");
  const summary = make("summary");
  summary.append(line);
  const fields = message.headers.map((one) => one.name + ": " + one.value).join("\n");
  details.append(summary, make("pre", fields + "\n\n" + bodyText(message.body)));
  item.append(details);
  return item;
}
function bodyText(body) {
  if (!body || body.text === undefined) return body ? JSON.stringify(body) : "";
  try { return JSON.stringify(JSON.parse(body.text), null, 2); } catch { return body.text; }
}

function showVerdict({ verdict, run, cells }) {
  byId("requirement").textContent = cells[0] + ": " + cells[1];
  byId("sentence").textContent = visible(verdict.rule.text);
  const source = verdict.rule.source;
  byId("source").textContent = visible([source.document, source.section, source.revision].filter(Boolean).join(", "));
  byId("title").textContent = visible(run ? run.title + " (" + cells[2] + ")" : cells[2]);
  const bytes = run && files.get(evidence(run));
  const entries = bytes ? jsonLines(bytes).slice(1).filter((one) => one.event !== "step-ended" && one.event !== "kept") : [];
  byId("entries").replaceChildren(...entries.map(shownEntry));
  byId("details").hidden = false;
  byId("requirement").focus();
}

// A link from the page of a certificate names a bundle of this site, and can name a text to find.
async function openLinked() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const path = wanted.get("bundle");
  if (!path || !/^certificates\/[\w.-]+\.tar$/.test(path)) return;
  byId("text").value = wanted.get("find") || "";
  const answer = await fetch(path).catch(() => undefined);
  if (answer && answer.ok) return open(new Uint8Array(await answer.arrayBuffer()));
  byId("problem").textContent = answer
    ? "The server answered " + answer.status + "."
    : "The bundle cannot be read from here: choose the bundle above. A page that is opened as a file cannot read other files.";
}
byId("file").addEventListener("change", (event) => {
  const [chosen] = event.target.files;
  if (chosen) chosen.arrayBuffer().then((buffer) => open(new Uint8Array(buffer)));
});
for (const id of ["text", "disposition"]) byId(id).addEventListener("input", filter);
addEventListener("hashchange", openLinked);
openLinked();
