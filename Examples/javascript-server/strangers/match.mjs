import { createHash } from 'node:crypto';
import { Networks } from '../linkforty/addresses.mjs';
import { Agents } from '../linkforty/agents.mjs';
import { InstallReports } from '../linkforty/installs.mjs';
import { Matcher } from '../linkforty/matcher.mjs';
import { after, patch } from './patch.mjs';

const HOUR = 3_600_000;

/** changes the link data of an attributed install; `change` gets the data and the match */
const data = (change) => after(InstallReports, 'dataOf', change);

const renamed = (from, to) => data(({ [from]: value, ...rest }) => (value === undefined ? rest : { ...rest, [to]: value }));

const ranges = (change) => after(Networks, 'privateRanges', change);

const without = (address) => ranges((all) => all.filter(([first]) => first !== address));

export const DEFECTS = {
  'match.never-for-apps': () => {
    const hash = ({ address, userAgent, timezone, language, screenWidth, screenHeight, platformVersion }) =>
      createHash('sha256')
        .update([address, userAgent, timezone, language, screenWidth, screenHeight, platformVersion].join('|'))
        .digest('hex');
    patch(Matcher, 'isGoodEnough', () => () => true);
    patch(Matcher, 'candidates', (original) => function (device) {
      return original.call(this, device).filter((click) => hash(click.device) === hash(device));
    });
  },

  'match.proxy-address-ignored': () =>
    patch(InstallReports, 'address', () => function ({ request }) {
      return this.server.addresses.ofSocket(request);
    }),

  'match.code-of-newest-link': () =>
    data(function (link) {
      return { ...link, shortCode: this.server.links.newest().code };
    }),

  'match.code-lowered': () => data((link) => ({ ...link, shortCode: link.shortCode.toLowerCase() })),

  'match.legacy-web-url': () => renamed('webUrl', 'webFallbackUrl'),

  'match.legacy-parameters': () => renamed('customParameters', 'deepLinkParameters'),

  'match.no-link-id': () => data(({ linkId, ...rest }) => rest),

  'match.stores-swapped': () => data((link) => ({ ...link, iosUrl: link.androidUrl, androidUrl: link.iosUrl })),

  'match.campaign-of-three': () =>
    data((link) => {
      if (!link.utmParameters) return link;
      const { term, content, ...rest } = link.utmParameters;
      return { ...link, utmParameters: rest };
    }),

  'match.clicked-at-is-now': () => data((link) => ({ ...link, clickedAt: new Date().toISOString() })),

  'match.clicked-at-number': () => data((link) => ({ ...link, clickedAt: Date.parse(link.clickedAt) })),

  'match.score-over-hundred': () =>
    after(Matcher, 'points', function (points, one, other) {
      const isEqual = (name) => one[name] > 0 && one[name] === other[name];
      const screen = (isEqual('screenWidth') ? 10 : 0) + (isEqual('screenHeight') ? 10 : 0);
      return points.map(([factor, count]) => [factor, factor === 'screen' ? screen : count]);
    }),

  'match.no-threshold': () =>
    after(Matcher, 'isGoodEnough', function (isGood, { click }) {
      return isGood || this.age(click) <= 168 * HOUR;
    }),

  'match.agent-by-browser-only': () => patch(Agents, 'sharePlatform', (original) => function (one, other) {
    const [a, b] = [this.browser(one), this.browser(other)];
    return (Boolean(a) && a === b) || original.call(this, one, other);
  }),

  'match.screen-width-only': () => patch(Matcher, 'shareScreen', () => (one, other) => one.screenWidth > 0 && one.screenWidth === other.screenWidth),

  'match.screen-zero-counts': () =>
    after(Matcher, 'shareScreen', function (isShared, one, other) {
      return isShared || (!this.hasScreen(one) && !this.hasScreen(other));
    }),

  'match.exact-address': () => {
    patch(Networks, 'areOneOf4', () => (one, other) => one === other);
    patch(Networks, 'areOneOf6', () => function (one, other) {
      return this.groups(one).join(':') === this.groups(other).join(':');
    });
  },

  'match.sixteen-bits': () =>
    patch(Networks, 'areOneOf4', () => (one, other) => one.split('.').slice(0, 2).join('.') === other.split('.').slice(0, 2).join('.')),

  'match.prefix-as-text': () => {
    const prefix = (address) => /^\d+\.\d+\.\d/.exec(address)[0];
    patch(Networks, 'areOneOf4', () => (one, other) => prefix(one) === prefix(other));
  },

  'match.three-groups': () => patch(Networks, 'sharedGroups', () => () => 3),

  'match.shared-range-counts': () => without('100.64.0.0'),

  'match.shared-range-cut': () => after(Networks, 'isPublic', (isPublic, address) => isPublic || /^100\.127\./.test(address)),

  'match.link-local-six-counts': () => without('fe80::'),

  'match.unique-local-half': () => ranges((all) => all.map(([first, bits]) => [first, first === 'fc00::' ? 8 : bits])),

  'match.language-whole': () => patch(Matcher, 'primary', () => (language) => language),

  'match.zones-by-offset': () => {
    const offset = (zone) => {
      try {
        const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(new Date());
        return parts.find(({ type }) => type === 'timeZoneName').value;
      } catch {
        return zone;
      }
    };
    patch(Matcher, 'shareZone', () => (one, other) =>
      Boolean(one.timezone) && Boolean(other.timezone) && offset(one.timezone) === offset(other.timezone));
  },

  'match.zones-by-region': () =>
    patch(Matcher, 'shareZone', () => (one, other) =>
      Boolean(one.timezone) && Boolean(other.timezone) && one.timezone.split('/')[0] === other.timezone.split('/')[0]),

  'match.window-ignored': () => patch(Matcher, 'isInWindow', () => function (click) {
    return this.age(click) <= 2160 * HOUR;
  }),

  'match.agent-of-apps-disqualifies': () =>
    patch(Matcher, 'candidates', (original) => function (device) {
      const all = original.call(this, device);
      return this.agents.browser(device) ? all : all.filter((click) => !this.agents.browser(click.device));
    }),
};
