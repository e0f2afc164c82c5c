import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFreePort, stopPart } from './service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 180_000;

export interface ServedPages {
  /** Without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the built pages without database and runner. */
export async function servePages(): Promise<ServedPages> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const script = resolve(import.meta.dirname, 'pages-process.ts');
  const server = spawn(process.execPath, ['--import', 'tsx', script, String(port)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', PUBLIC_URL: url },
  });
  await waitUntilReady(url, server);
  return {
    url,
    async stop() {
      await stopPart(server);
    },
  };
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const giveUpAtMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < giveUpAtMs && server.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await setTimeout(100);
  }
  server.kill('SIGKILL');
  throw new Error(`The pages' server did not respond at ${url}`);
}
