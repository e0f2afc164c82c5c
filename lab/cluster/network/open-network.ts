import { getMessage } from '../../../models/core/operation/errors.ts';
import type { Network } from './hosts.ts';
import { openLoopback } from './loopback.ts';
import { openNamespaces } from './namespaces.ts';
import { runCommand, succeeds } from './run-command.ts';

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
