// @module-tag long

import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../../models/core/runtime/raster.ts';
import { openRetouch } from '../../../../models/operations/remove-bg/finish-cutout.ts';
import { removeBg } from '../../../../models/operations/remove-bg/operation.ts';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { NodeInference } from '../../../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../../../server/runtime/node-runtime.ts';
import { WeightStore } from '../../../../server/runtime/weight-store/index.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import { chooseStroke } from '../../../support/media/simulated-user.ts';

const DAVIS = sharedData('data/background/davis2016');

// The twin is retouch.test.ts, with images that are made there.
describe.skipIf(DAVIS.isMissing)(DAVIS.titled('frames with their ground truth'), { timeout: 300_000 }, () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'retouch-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('come closer to the ground truth with each of two strokes on cutouts of the bundled model', async () => {
    const weights = new WeightStore({ directory, mirror: null, isOffline: true });
    const inference = new NodeInference({ weights, endpoints: new Map(), memoryBytesMax: 500_000_000 });
    const { signal } = new AbortController();
    const runtime = createNodeRuntime({ signal, inference, attachments: new Map() });
    const agreements: number[][] = [];
    // Every other frame: the mean of seven is steady enough for these limits.
    const names = (await readdir(join(DAVIS.path, 'img'))).sort().filter((_, index) => index % 2 === 0);
    for (const name of names) {
      const original = await openAsBlob(join(DAVIS.path, 'img', name));
      const { files } = await removeBg.execute(original, { engine: 'matte' }, runtime);
      const cutout = files[0]?.blob;
      if (!cutout) throw new Error('no cutout');
      const { retouch, colours } = await openRetouch({ original, cutout }, runtime);
      const truth = await truthOf(join(DAVIS.path, 'gt', name.replace('.jpg', '.png')), colours);
      const strokes: Stroke[] = [];
      const reached = [agreement(retouch.matteAfter([]), truth)];
      for (let count = 0; count < 2; count++) {
        const stroke = chooseStroke(retouch.matteAfter(strokes), truth);
        if (stroke) strokes.push(stroke);
        reached.push(agreement(retouch.matteAfter(strokes), truth));
      }
      agreements.push(reached);
    }
    const mean = (column: number) =>
      agreements.reduce((sum, reached) => sum + (reached[column] ?? 0), 0) / agreements.length;
    // Not as shares of what is wrong: a better network leaves what is harder to mend.
    expect(mean(1) - mean(0)).toBeGreaterThan(0.035);
    expect(mean(2) - mean(0)).toBeGreaterThan(0.075);
    expect(mean(2)).toBeGreaterThan(0.74);
    for (const reached of agreements) expect(reached[2]).toBeGreaterThan((reached[0] ?? 0) - 0.03);
  });
});

async function truthOf(path: string, { width, height }: FloatImage): Promise<FloatImage> {
  const { data } = await sharp(path)
    .removeAlpha()
    .greyscale()
    .resize(width, height, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, channels: 1, data: Float32Array.from(data, (value) => (value > 127 ? 1 : 0)) };
}

/** Computes the intersection over union at 0.5. */
function agreement(matte: FloatImage, truth: FloatImage): number {
  let both = 0;
  let either = 0;
  truth.data.forEach((wanted, place) => {
    const found = (matte.data[place] as number) > 0.5;
    if (found && wanted) both += 1;
    if (found || wanted) either += 1;
  });
  return both / either;
}
