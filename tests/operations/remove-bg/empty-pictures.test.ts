// @module-tag long

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../models/operations/extend/seeded-random.ts';
import { removeBackground } from '../../../models/operations/remove-bg/remove-background.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { createGraphInference } from '../../support/models/graph-inference.ts';

/** U-2-Net-p, converted from its published weights. */
const CONVERTED = sharedData('models/standins/u2netp.converted.onnx');
const [WIDTH, HEIGHT] = [640, 480];

const random = seededRandom(7);
/** Colours of pictures without a subject, by their places. */
const PICTURES: Readonly<Record<string, (x: number, y: number) => readonly [number, number, number]>> = {
  'a plain gray': () => [128, 128, 128],
  'a sky': (_x, y) => [90 + y / 5, 140 + y / 6, 220 + y / 20],
  'a texture': (x, y) => {
    const weave = 20 * Math.sin(x / 3) * Math.sin(y / 3) + 16 * (random() - 0.5);
    return [150 + weave, 120 + weave, 90 + weave];
  },
  'a black': () => [0, 0, 0],
};

function getRaster(colourAt: (x: number, y: number) => readonly [number, number, number]) {
  const data = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let place = 0; place < WIDTH * HEIGHT; place++) {
    data.set([...colourAt(place % WIDTH, Math.floor(place / WIDTH)), 255], place * 4);
  }
  return { width: WIDTH, height: HEIGHT, data };
}

/** Removes the background of a picture, and expects that nothing is left. */
async function expectNothing(
  engine: string,
  graphs: Parameters<typeof createGraphInference>[0],
  colourAt: (x: number, y: number) => readonly [number, number, number],
): Promise<void> {
  const runtime = {
    inference: createGraphInference(graphs),
    signal: new AbortController().signal,
    progress: () => {},
  };
  const raster = getRaster(colourAt);
  const found = await removeBackground(raster, { engine, subject: 'all', backdrop: null }, runtime);
  expect(found).toMatchObject({ subjectCount: 0, quality: 'low', engine: `${engine} on cpu` });
  expect(raster.data.every((value, at) => at % 4 !== 3 || value === 0)).toBe(true);
}

describe.each(Object.entries(PICTURES))('%s picture', (_what, colourAt) => {
  it('has no subject for the bundled model', () => expectNothing('matte', {}, colourAt));

  it.skipIf(CONVERTED.isMissing)(CONVERTED.titled('has no subject for U-2-Net-p'), async () => {
    await expectNothing('u2netp', { u2netp: new Uint8Array(await readFile(CONVERTED.path)) }, colourAt);
  });
});
