// Defects that were written down from the documents alone, before any case was opened, and built afterwards as their words
// say. They measure how many mistakes the cases find that nobody had in mind when the cases were written. One module for
// each area of the rules; the words are in strangers-*.yaml. Where a stranger had the same mistake as ../defects.mjs, under
// the same name, that one stands for it.
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
