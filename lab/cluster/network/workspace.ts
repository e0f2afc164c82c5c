import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Network } from './hosts.ts';
import { openNetwork } from './open-network.ts';

/** Network and folder of a cluster. */
export interface Workspace {
  readonly network: Network;
  /** Folder of all its files. */
  readonly folder: string;
  /** Removes both. */
  close(): Promise<void>;
}

/** Opens a network and a folder. @throws when the machine refuses, with nothing left behind */
export async function openWorkspace(isLoopbackWanted: boolean): Promise<Workspace> {
  const network = await openNetwork(isLoopbackWanted);
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-cluster-'));
  // PostgreSQL runs as a separate user.
  await chmod(folder, 0o755);
  return {
    network,
    folder,
    async close() {
      await network.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
