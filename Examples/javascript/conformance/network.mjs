// Applies the settings of a launch to this whole process: an authority that TLS trusts, and addresses of names.
import dns from 'node:dns';
import tls from 'node:tls';

let trust;
let hosts = new Map();

/** @param {{ trust?: string, hosts?: Record<string, string> }} launch */
export function lend(launch) {
  trust = launch.trust;
  hosts = new Map(Object.entries(launch.hosts ?? {}));
}

const connect = tls.connect;
tls.connect = (options, ...rest) => {
  if (trust === undefined || typeof options !== 'object' || options.ca) return connect(options, ...rest);
  return connect({ ...options, ca: [...tls.rootCertificates, trust] }, ...rest);
};

const lookup = dns.lookup;
dns.lookup = (name, options, callback) => {
  const address = hosts.get(name);
  if (address === undefined) return lookup(name, options, callback);
  const all = typeof options === 'object' && options.all;
  const done = callback ?? options;
  return process.nextTick(() => (all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)));
};
