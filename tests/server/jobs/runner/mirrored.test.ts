// @module-tag long

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';
import { OPERATIONS } from '../../../../models/registry.ts';
import { describeInstallation } from '../../../../server/api/routes/list-engines.ts';
import type { Context } from '../../../../server/base/context.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { startModelUpkeep } from '../../../../server/jobs/runner/keep-models.ts';
import { AcceptanceStore } from '../../../../server/runtime/acceptance/index.ts';
import { listAllEngines } from '../../../../server/runtime/acceptance/list-all-engines.ts';
import { NodeAcceptances } from '../../../../server/runtime/acceptance/node-acceptances.ts';
import { openInference } from '../../../../server/runtime/inference/index.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

/** Real files of the selfie model, Silero and the small segmentation, under the names that they came with. */
const MIRROR = sharedData('models/media/image');
/** U-2-Net-p, converted from its published weights: its hash is not that of the catalogue. */
const CONVERTED = sharedData('models/standins/u2netp.converted.onnx');

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'darkroom-mirrored-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

/** Sets up an installation without internet, whose weights come from a folder. */
function createInstallation(mirror: string, name = 'data'): Context {
  const settings = { DATA_DIR: join(directory, name), MODELS_OFFLINE: '1', MODEL_MIRROR: mirror };
  // The processes that measure read these.
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const env = readEnv({ ...settings, ACCEPTANCE_DELAY_SECONDS: '0' });
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  return { env, log } as unknown as Context;
}

async function getBoard(ctx: Context) {
  const { engines } = await describeInstallation(ctx);
  return new Map(engines.map((engine) => [engine.id, engine]));
}

describe('the board of a machine without internet', { timeout: 300_000 }, () => {
  it.skipIf(MIRROR.isMissing)(
    MIRROR.titled('shows real models of a mirror, measured before anybody asks for them'),
    async () => {
      const ctx = createInstallation(MIRROR.path);
      const wanted = ['selfie-segmentation', 'pyannote-segmentation-3.0-int8', 'silero-speakers'];
      const engines = listAllEngines().filter(({ engine }) => wanted.includes(engine.id));
      const end = startModelUpkeep(ctx, { engines, reserveIdle: async () => () => {} });
      const board = await vi.waitFor(
        async () => {
          const found = await getBoard(ctx);
          for (const id of wanted) expect(found.get(id)?.acceptance, id).not.toBeNull();
          return found;
        },
        { timeout: 280_000, interval: 200 },
      );
      await end();
      for (const id of wanted) {
        expect(board.get(id)).toMatchObject({ available: true, reason: null, acceptance: { passed: true } });
      }
      const getError = (id: string) => board.get(id)?.acceptance?.figure ?? 1;
      expect(getError('pyannote-segmentation-3.0-int8')).toBeLessThan(getError('silero-speakers'));
      expect(board.get('u2netp')).toMatchObject({
        available: false,
        reason: 'Its weights u2netp are missing.',
        acceptance: null,
      });
      expect(ctx.log.error).not.toHaveBeenCalled();
    },
  );

  it.skipIf(CONVERTED.isMissing)(
    CONVERTED.titled(
      'shows U-2-Net-p where its card has the hash of the mirrored file, and refuses that file else',
    ),
    async () => {
      const bytes = await readFile(CONVERTED.path);
      await writeFile(join(directory, 'u2netp.onnx'), bytes);
      const measure = ({ env }: Context) => {
        const [store, inference] = [new AcceptanceStore(env), openInference(env)];
        const { signal } = new AbortController();
        return new NodeAcceptances({ operations: OPERATIONS, store, inference }).measure(
          'remove-bg',
          'u2netp',
          {
            signal,
          },
        );
      };
      const refusing = createInstallation(directory, 'refusing');
      await expect(measure(refusing)).rejects.toMatchObject({ code: 'unavailable' });
      expect((await getBoard(refusing)).get('u2netp')).toMatchObject({ available: false, acceptance: null });
      const card = REMOVE_BG_WEIGHTS.u2netp;
      const own = { sha256: card.sha256, bytes: card.bytes };
      Object.assign(card, {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
      });
      try {
        const ctx = createInstallation(directory);
        expect(await measure(ctx)).toMatchObject({ state: 'passed' });
        expect((await getBoard(ctx)).get('u2netp')).toMatchObject({
          available: true,
          licence: 'Apache-2.0',
          acceptance: { measure: 'IoU', passed: true, per: 'megapixel' },
        });
      } finally {
        Object.assign(card, own);
      }
    },
  );
});
