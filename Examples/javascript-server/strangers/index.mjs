// Defects of the server:
//   CONFORM_DEFECT=match.window-ignored conform run --server-file Examples/javascript-server/provisioning.yaml
// A defect replaces one method. The server itself contains no code for defects. strangers.yaml names the violated requirements.
import * as health from './health.mjs';
import * as install from './install.mjs';
import * as intake from './intake.mjs';
import * as lookup from './lookup.mjs';
import * as maker from './maker.mjs';
import * as match from './match.mjs';
import * as opening from './opening.mjs';
import * as routes from './routes.mjs';

const AREAS = [health, routes, install, match, lookup, opening, intake, maker];

export const DEFECTS = Object.assign({}, ...AREAS.map((area) => area.DEFECTS));

/** @param {string} names names of defects, separated by commas */
export function breakServer(names) {
  for (const name of names.split(',')) {
    if (!Object.hasOwn(DEFECTS, name)) throw new Error(`there is no ${name}`);
    DEFECTS[name]();
  }
}
