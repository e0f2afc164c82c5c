import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { launchChromiumProfile } from '../support/chromium.ts';
import { report } from './measure.ts';

/** Limit on the bytes of a first visit, as sent, until its page is idle. */
const BYTES_MAX = 1_500_000;
/** A visit is over when nothing has been sent for so long. */
const SILENCE_MS = 5_000;
const VISIT_MS_MAX = 90_000;

/**
 * Prints the kilobytes that a first visit to a page receives, in a fresh profile with its service worker, counted on
 * the wire with all headers: until the page is idle, and what is cached afterwards for work without a network.
 */
export async function benchFirstVisit(origin: string, path: string): Promise<void> {
  const wire = await countWire(Number(new URL(origin).port));
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-first-visit-'));
  const profile = await launchChromiumProfile(folder);
  try {
    const page = await profile.newPage();
    await page.goto(wire.origin + path, { waitUntil: 'networkidle' });
    const idle = wire.bytes();
    await wire.silent();
    report(`first visit of ${path}, fresh profile`, {
      'until idle': `${kilobytes(idle)} of ${kilobytes(BYTES_MAX)} kB${idle > BYTES_MAX ? ' OVER' : ''}`,
      'cached afterwards': `${kilobytes(wire.bytes() - idle)} kB`,
    });
  } finally {
    await profile.close();
    wire.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);

interface Wire {
  readonly origin: string;
  /** Number of bytes sent to the browser so far. */
  bytes(): number;
  /** Settles once nothing has been sent for a while. */
  silent(): Promise<void>;
  stop(): void;
}

/** Puts a relay before a server, which counts what the server sends. */
async function countWire(port: number): Promise<Wire> {
  let bytes = 0;
  let lastAtMs = Date.now();
  const sockets = new Set<Socket>();
  const relay = createServer((browser) => {
    const server = connect(port, '127.0.0.1');
    for (const socket of [browser, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    server.on('data', (chunk) => {
      bytes += chunk.length;
      lastAtMs = Date.now();
    });
    browser.pipe(server).pipe(browser);
  });
  await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    bytes: () => bytes,
    async silent() {
      const endsAtMs = Date.now() + VISIT_MS_MAX;
      while (Date.now() - lastAtMs < SILENCE_MS && Date.now() < endsAtMs) await setTimeout(SILENCE_MS / 10);
    },
    stop() {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
