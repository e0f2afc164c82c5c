import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built pages are served, without a slash at the end. */
    studioUrl: string;
  }
}

const ROOT = join(import.meta.dirname, '../../..');
const START_TIMEOUT_MS = 30_000;

/** Serves the built pages by Next alone. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
  const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', PUBLIC_URL: url },
  });
  await answers(url, server);
  provide('studioUrl', url);
  return async () => {
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    await exited;
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (!address || typeof address === 'string') throw new Error('no port');
  return address.port;
}
