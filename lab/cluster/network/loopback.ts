import { type Host, LAST_BYTES, type Network } from './hosts.ts';

const NETWORK = '127.0.77';

/** Gives each host a loopback address: the hosts of a machine whose kernel has no network namespaces. */
export function openLoopback(reason: string): Network {
  return {
    description: `loopback addresses (${reason}): the proxy stalls where a link would be cut`,
    hasLinks: false,
    range: '127.0.0.0/8',
    addressOf: (host: Host) => `${NETWORK}.${LAST_BYTES[host]}`,
    commandOn: (_, command) => command,
    cut: async () => false,
    blackhole: async () => {},
    lose: async () => false,
    mend: async () => {},
    close: async () => {},
  };
}
