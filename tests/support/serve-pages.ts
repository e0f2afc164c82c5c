import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { freePort, stopPart } from './service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 30_000;

export interface ServedPages {
  /** Without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the built pages by Next alone: no database, no runner. */
export async function servePages(): Promise<ServedPages> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', PUBLIC_URL: url },
  });
  await answers(url, server);
  return {
    url,
    async stop() {
      await stopPart(server);
    },
  };
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  const giveUpAtMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAtMs && server.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  server.kill('SIGKILL');
  throw new Error(`next start did not answer at ${url}`);
}
