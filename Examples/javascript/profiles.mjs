// Reads profiles.yaml. The file uses only a part of YAML: the key `profiles`, names, and the lists `lacks` and `deviations`.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFECTS, VARIANTS } from './defects.mjs';
import { DEVIATIONS } from './deviations.mjs';
import { join } from './patch.mjs';
import { STRANGERS } from './strangers/index.mjs';

export const FILE = fileURLToPath(new URL('profiles.yaml', import.meta.url));
const LISTS = ['lacks', 'deviations'];

/** The error for an invalid or unknown profile. The message begins with the file and the line. */
export class ProfileError extends Error {
  constructor(line, message, file = FILE) {
    super(`${path.relative(process.cwd(), file)}:${line}: ${message}`);
  }
}

/**
 * Applies a profile. Like `arrange` in defects.mjs, but a profile can also change commands of the adapter and `errorOf`.
 * @param {string} name
 * @param {string[]} capabilities all capabilities of the SDK
 */
export function arrangeProfile(name, capabilities, file = FILE) {
  const profiles = readProfiles(capabilities, file);
  if (!profiles.has(name)) throw new ProfileError(1, `there is no profile '${name}'${suggestion(name, [...profiles.keys()])}`, file);
  const { lacks, deviations } = profiles.get(name);
  const breaks = join(DEFECTS, STRANGERS, DEVIATIONS);
  const switched = deviations.map((deviation) => VARIANTS[deviation] ?? breaks[deviation]() ?? {});
  const all = (key) => Object.assign({}, ...switched.map((change) => change[key]));
  return {
    choices: all('choices'),
    without: [...lacks, ...switched.flatMap(({ without = [] }) => without)],
    declares: switched.some(({ declares }) => declares) ? all('declares') : undefined,
    commands: all('commands'),
    errorOf: switched.find(({ errorOf }) => errorOf)?.errorOf,
  };
}

/** All profiles; throws a ProfileError for the first mistake. @returns {Map<string, { lacks: string[], deviations: string[] }>} */
export function readProfiles(capabilities, file = FILE) {
  const known = { lacks: capabilities, deviations: Object.keys(join(DEFECTS, STRANGERS, DEVIATIONS, VARIANTS)) };
  const profiles = new Map();
  let profile, list;
  fs.readFileSync(file, 'utf8').split('\n').forEach((text, index) => {
    const line = index + 1;
    const wrong = (message) => new ProfileError(line, message, file);
    const [, indent, dash, word, colon] = /^( *)(- )?([^\s:#]+)?(:)?\s*(?:#.*)?$/.exec(text) ?? [];
    if (indent === undefined) throw wrong(`expected a name or an item of a list, found '${text.trim()}'`);
    if (word === undefined) return;
    if (dash) {
      if (!list) throw wrong(`expected 'lacks:' or 'deviations:' before '${text.trim()}'`);
      const what = list === 'lacks' ? 'capability' : 'deviation';
      if (!known[list].includes(word)) throw wrong(`there is no ${what} '${word}'${suggestion(word, known[list])}`);
      if (profile[list].includes(word)) throw wrong(`the ${what} '${word}' is listed twice`);
      profile[list].push(word);
    } else if (!colon) {
      throw wrong(`expected a colon behind '${word}'`);
    } else if (indent.length === 0) {
      if (word !== 'profiles') throw wrong(`there is no key '${word}'${suggestion(word, ['profiles'])}`);
    } else if (indent.length === 2) {
      if (profiles.has(word)) throw wrong(`there are two profiles '${word}'`);
      profile = { lacks: [], deviations: [] };
      list = undefined;
      profiles.set(word, profile);
    } else {
      if (!profile || !LISTS.includes(word)) throw wrong(`there is no key '${word}'${suggestion(word, LISTS)}`);
      list = word;
    }
  });
  return profiles;
}

/** Advice for a message: the known name that is nearest to a wrong name. */
function suggestion(word, names) {
  const [nearest] = [...names].sort((a, b) => distance(word, a) - distance(word, b));
  if (nearest !== undefined && distance(word, nearest) <= Math.max(2, word.length / 3)) return `; did you mean '${nearest}'?`;
  return names.length <= 8 ? `; expected one of ${names.join(', ')}` : '';
}

/** The number of letters that must be changed, added or removed. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
