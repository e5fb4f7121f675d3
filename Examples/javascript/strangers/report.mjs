// The install report.
import os from 'node:os';
import { Api, SDK_VERSION } from '../linkforty/api.mjs';
import { Fingerprint } from '../linkforty/device.mjs';
import { patch } from '../patch.mjs';

/** Changes the body of the report. @param {(report: object) => object} change */
function inReport(change) {
  patch(Fingerprint, 'report', (original) => function (configuration) {
    return change(original.call(this, configuration));
  });
}

const REGIONS = ['en-GB', 'en-US', 'en-IN', 'en-AU', 'ja-JP'];

/** The usual abbreviation of the zone: CET, EST, IST. */
function abbreviation(timeZone) {
  const names = REGIONS.map((region) => {
    const parts = new Intl.DateTimeFormat(region, { timeZone, timeZoneName: 'short' }).formatToParts(new Date());
    return parts.find(({ type }) => type === 'timeZoneName').value;
  });
  return names.find((name) => !/\d/.test(name)) ?? names[0];
}

export const DEFECTS = {
  'report.agent-misspelled': () => inReport(({ userAgent, ...report }) => ({ user_agent: userAgent, ...report })),

  'report.zone-abbreviated': () => inReport((report) => ({ ...report, timezone: abbreviation(report.timezone) })),

  'report.language-of-posix': () =>
    inReport((report) => ({ ...report, language: `${report.language.replaceAll('-', '_')}.UTF-8` })),

  'report.screen-as-text': () =>
    inReport((report) => ({
      ...report, screenWidth: String(report.screenWidth), screenHeight: String(report.screenHeight),
    })),

  'report.screen-zero-before-layout': () =>
    patch(Fingerprint, 'report', (original) => function (configuration) {
      const report = original.call(this, configuration);
      if (this.hasLayout) return report;
      this.hasLayout = true;
      return { ...report, screenWidth: 0, screenHeight: 0 };
    }),

  'report.screen-turned': () => {
    const upright = (original) => function (...args) {
      const readDevice = this.readDevice;
      const { screenWidth: one, screenHeight: other, ...device } = readDevice();
      this.readDevice = () => ({ ...device, screenWidth: Math.min(one, other), screenHeight: Math.max(one, other) });
      try {
        return original.apply(this, args);
      } finally {
        this.readDevice = readDevice;
      }
    };
    patch(Fingerprint, 'report', upright);
    patch(Fingerprint, 'query', upright);
  },

  'report.platform-is-darwin': () => inReport((report) => ({ ...report, platform: os.type() })),

  'report.version-with-undefined': () =>
    inReport((report) => {
      const [major, minor] = report.platformVersion.split('.');
      return { ...report, platformVersion: `${major}.${minor}` };
    }),

  'report.app-version-of-the-sdk': () => inReport((report) => ({ ...report, appVersion: SDK_VERSION })),

  'report.app-version-is-build': () =>
    inReport((report) => ({ ...report, appVersion: Number(report.appVersion.replace(/\D/g, '')) })),

  'report.device-id-zeros': () =>
    inReport((report) => ({ deviceId: '00000000-0000-0000-0000-000000000000', ...report })),

  'report.device-id-outlives-reset': () =>
    patch(Fingerprint, 'report', (original) => function (configuration) {
      this.deviceId = configuration.deviceId || this.deviceId;
      return original.call(this, { ...configuration, deviceId: this.deviceId });
    }),

  'report.device-id-lowered': () => inReport((report) => ({ ...report, deviceId: report.deviceId?.toLowerCase() })),

  'report.window-in-whole-days': () =>
    patch(Fingerprint, 'windowMember', (original) => function ({ hours, isDefault }) {
      return original.call(this, { hours: Math.floor(hours / 24) * 24, isDefault });
    }),

  'report.window-one-is-true': () =>
    inReport((report) => (report.attributionWindowHours === 1 ? { ...report, attributionWindowHours: true } : report)),

  'report.trailing-slash': () =>
    patch(Api, 'target', (original) => function (path) {
      return original.call(this, path === '/api/sdk/v1/install' ? `${path}/` : path);
    }),

  'report.token-missing': () => inReport(({ appToken, ...report }) => report),

  // The list calls it report.token-in-events; another defect, which changes only events, has this name.
  'report.token-in-every-body': () =>
    patch(Api, 'stamp', (original) => function (value) {
      return { ...original.call(this, value), appToken: this.configuration.appToken || undefined };
    }),
};
