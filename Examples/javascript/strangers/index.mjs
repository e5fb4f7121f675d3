// Held-out defects. Their authors described them from the documents, without knowledge of the cases, and built them afterwards.
// They measure the share of unexpected mistakes that the cases detect. There is one module for each area of the
// requirements; the descriptions are in strangers-*.yaml. If ../defects.mjs has the same mistake with the same name, its
// implementation is used.
import { join } from '../patch.mjs';
import * as configuration from './configuration.mjs';
import * as data from './data.mjs';
import * as deferred from './deferred.mjs';
import * as direct from './direct.mjs';
import * as errors from './errors.mjs';
import * as events from './events.mjs';
import * as initialization from './initialization.mjs';
import * as links from './links.mjs';
import * as management from './management.mjs';
import * as offline from './offline.mjs';
import * as report from './report.mjs';
import * as resolve from './resolve.mjs';
import * as revenue from './revenue.mjs';
import * as user from './user.mjs';
import * as wire from './wire.mjs';

const AREAS = [
  configuration,
  data,
  deferred,
  direct,
  errors,
  events,
  initialization,
  links,
  management,
  offline,
  report,
  resolve,
  revenue,
  user,
  wire,
];

export const STRANGERS = join(...AREAS.map(({ DEFECTS }) => DEFECTS));
