import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Network } from '../network/hosts.ts';
import { type Part, startPart, waitUntil } from './part.ts';

const PORT = 9000;

/** S3-compatible store, which keeps its objects while it is away. */
export interface Store {
  readonly target: { readonly host: string; readonly port: number };
  /** Environment of a process that reaches the store at an address. */
  environmentAt(host: string, port: number): Record<string, string>;
  /** Sends kill -9. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a store on the host `data`. */
export async function startStore(network: Network, folder: string, logs: string): Promise<Store> {
  const host = network.addressOf('data');
  const directory = join(folder, 'store');
  await mkdir(directory, { recursive: true });
  const script = join(import.meta.dirname, 'store-process.ts');
  let part: Part | undefined;
  const store: Store = {
    target: { host, port: PORT },
    environmentAt: (address, port) => ({
      S3_ENDPOINT: `http://${address}:${port}`,
      S3_BUCKET: 'darkroom',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    }),
    async kill() {
      await part?.kill();
    },
    async start() {
      const command = [process.execPath, '--import', 'tsx', script, host, String(PORT), directory];
      part = startPart({ command: network.commandOn('data', command), log: join(logs, 'store.log') });
      const responds = () =>
        fetch(`http://${host}:${PORT}/`).then(
          () => true,
          () => false,
        );
      await waitUntil('the store', responds);
    },
  };
  await store.start();
  return store;
}
