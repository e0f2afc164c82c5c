// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { removeBackground } from '../../../../models/operations/remove-bg/remove-background.ts';
import { NodeInference } from '../../../../server/runtime/inference/node-inference.ts';
import { WeightStore } from '../../../../server/runtime/weight-store/index.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

const MIRROR = sharedData('models/media/image');
const PORTRAIT = sharedData('data/background/canvas_human');

// The twin is remove-background.test.ts, with stand-ins for the networks.
describe.skipIf(MIRROR.isMissing || PORTRAIT.isMissing)(
  MIRROR.titled(PORTRAIT.titled('published weights and a portrait')),
  () => {
    it('give a cutout close to the ground truth', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'real-weights-'));
      const weights = new WeightStore({ directory, mirror: MIRROR.path, isOffline: true });
      const inference = new NodeInference({ weights, endpoints: new Map(), memoryBytesMax: 500_000_000 });
      const read = (name: string) => sharp(join(PORTRAIT.path, name)).ensureAlpha().raw();
      const { data, info } = await read('example_image.png').toBuffer({ resolveWithObject: true });
      const raster = { width: info.width, height: info.height, data: new Uint8Array(data) };
      const { signal } = new AbortController();
      const { engine, subjectCount } = await removeBackground(
        raster,
        { engine: 'selfie-segmentation', subject: 'all', backdrop: null },
        { inference, signal, progress: () => {} },
      );
      expect({ engine, subjectCount }).toEqual({ engine: 'selfie-segmentation on cpu', subjectCount: 1 });
      const truth = await read('example_ground_truth.png').toBuffer();
      let both = 0;
      let either = 0;
      for (let at = 0; at < truth.length; at += 4) {
        const [found, wanted] = [(raster.data[at + 3] as number) > 127, (truth[at] as number) > 127];
        if (found && wanted) both += 1;
        if (found || wanted) either += 1;
      }
      expect(both / either).toBeGreaterThan(0.93);
      await rm(directory, { recursive: true });
    });
  },
);
