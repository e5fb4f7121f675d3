import { BlockList, isIP, isIPv4 } from 'node:net';

/** Finds the client's address: the first address in X-Forwarded-For, or else the address of the socket. */
export class ClientAddresses {
  of(request) {
    return this.forwarded(request.headers['x-forwarded-for']) ?? this.ofSocket(request);
  }

  forwarded(field = '') {
    const first = this.plain(field.split(',')[0].trim());
    return isIP(first) ? first : undefined;
  }

  ofSocket(request) {
    return this.plain(request.socket.remoteAddress ?? '');
  }

  /** the address without the prefix of an IPv4 address in IPv6 */
  plain(address) {
    const short = address.replace(/^::ffff:/i, '');
    return isIPv4(short) ? short : address;
  }
}

/** Decides whether two addresses belong to one network. */
export class Networks {
  /** The ranges outside of public networks: [address, bits]. */
  privateRanges() {
    return [
      ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
      ['192.0.0.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15],
      ['::', 128], ['::1', 128], ['fc00::', 7], ['fe80::', 10], ['2001:2::', 48],
    ];
  }

  areOne(one, other) {
    if (!this.isPublic(one) || !this.isPublic(other)) return false;
    if (isIPv4(one) !== isIPv4(other)) return false;
    return isIPv4(one) ? this.areOneOf4(one, other) : this.areOneOf6(one, other);
  }

  isPublic(address) {
    this.private ??= this.blockList();
    return isIP(address) !== 0 && !this.private.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }

  blockList() {
    const list = new BlockList();
    for (const [address, bits] of this.privateRanges()) list.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6');
    return list;
  }

  areOneOf4(one, other) {
    const prefix = (address) => address.split('.').slice(0, 3).join('.');
    return prefix(one) === prefix(other);
  }

  areOneOf6(one, other) {
    const prefix = (address) => this.groups(address).slice(0, this.sharedGroups()).join(':');
    return prefix(one) === prefix(other);
  }

  sharedGroups() {
    return 4;
  }

  /** the eight groups of an IPv6 address, without leading zeros */
  groups(address) {
    const parts = (text) => (text ? text.split(':') : []);
    const [head, tail] = address.split('%')[0].split('::').map(parts);
    const zeros = tail ? Array(Math.max(0, 8 - head.length - tail.length)).fill('0') : [];
    return [...head, ...zeros, ...(tail ?? [])].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
  }
}
