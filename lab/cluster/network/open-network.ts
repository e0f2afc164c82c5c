import { getMessage } from '../../../models/core/operation/errors.ts';
import { type Host, LAST_BYTES, type Network } from './hosts.ts';
import { openNamespaces } from './namespaces.ts';
import { runCommand, succeeds } from './run-command.ts';

const NETWORK = '127.0.77';

/** Opens the best network that this machine allows: namespaces, or else loopback addresses. */
export async function openNetwork(isLoopbackWanted: boolean): Promise<Network> {
  if (isLoopbackWanted) return openLoopback('as asked for');
  const trial = `trial-of-darkroom-${process.pid}`;
  const refusal = await runCommand(['ip', 'netns', 'add', trial]).then(() => undefined, getMessage);
  if (refusal !== undefined)
    return openLoopback(`no network namespaces: ${refusal.trim().split('\n').at(-1)}`);
  await succeeds(['ip', 'netns', 'delete', trial]);
  return await openNamespaces();
}

/** Gives each host a loopback address: the hosts of a machine whose kernel has no network namespaces. */
function openLoopback(reason: string): Network {
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
