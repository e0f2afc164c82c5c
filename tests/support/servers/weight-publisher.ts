import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { WeightStore } from '../../../server/runtime/weight-store/index.ts';
import { createWeightCard } from '../service/weight-files.ts';
import { startWeightServer, type WeightServer } from './weight-server.ts';

/**
 * Creates a publisher of one file of 600,000 bytes, and stores for it.
 * @returns `start` starts its server and makes a folder for the stores, until `stop`
 */
export function createPublisher() {
  const content = new Uint8Array(randomBytes(600_000));
  let directory: string;
  let server: WeightServer;
  return {
    content,
    async start(): Promise<{ directory: string; server: WeightServer; card: WeightCard }> {
      directory = await mkdtemp(join(tmpdir(), 'weights-'));
      server = await startWeightServer(content);
      return { directory, server, card: createWeightCard(content, { url: server.url }) };
    },
    async stop(): Promise<void> {
      await server.target.stop();
      await rm(directory, { recursive: true, force: true });
    },
    store: ({ mirror = null, isOffline = false }: { mirror?: string | null; isOffline?: boolean } = {}) =>
      new WeightStore({ directory, mirror, isOffline }),
    isContent: async (bytes: Promise<Uint8Array>) => Buffer.from(content).equals(await bytes),
  };
}

/** Matches the error of weights that cannot be had. */
export function refused(message: RegExp) {
  return expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(message) });
}
