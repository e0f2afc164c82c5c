import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { upscale } from '../../../models/operations/upscale/operation.ts';
import type { UpscaleParams } from '../../../models/operations/upscale/schema.ts';
import { readEnv } from '../../../server/base/env.ts';
import { openInference } from '../../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { drawDiscs, drawGrayLines, drawThinLines } from '../../support/media/drawings.ts';

// The real networks of the package: what they add is what is tested.
const inference = openInference(readEnv());
const HALO_MAX = 4;

async function enlarge(image: Uint8Array, params: Partial<UpscaleParams>) {
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const { files, engine } = await upscale.execute(new Blob([new Uint8Array(image)]), params, runtime);
  const bytes = new Uint8Array((await files[0]?.blob.arrayBuffer()) ?? []);
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { engine, data, channels: info.channels, width: info.width };
}

/** Returns by how much the most extreme sample leaves the range of the 3 x 3 source pixels around it. */
async function largestHalo(image: Uint8Array, scale: number, enlarged: Uint8Array): Promise<number> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  let most = 0;
  for (let at = 0; at < enlarged.length; at++) {
    const place = Math.floor(at / 3);
    const x = Math.floor((place % (width * scale)) / scale);
    const y = Math.floor(place / (width * scale) / scale);
    const around = [-1, 0, 1].flatMap((down) =>
      [-1, 0, 1].map((across) => {
        const column = Math.min(width - 1, Math.max(0, x + across));
        const row = Math.min(height - 1, Math.max(0, y + down));
        return data[(row * width + column) * 3 + (at % 3)] as number;
      }),
    );
    const value = enlarged[at] as number;
    most = Math.max(most, value - Math.max(...around), Math.min(...around) - value);
  }
  return most;
}

function largestTint(data: Uint8Array): number {
  let most = 0;
  for (let at = 0; at < data.length; at += 3) {
    const colour = [...data.subarray(at, at + 3)];
    most = Math.max(most, Math.max(...colour) - Math.min(...colour));
  }
  return most;
}

describe('what the input never had, the enlarged image has not', () => {
  test.each([
    ['thin lines', 2, drawThinLines],
    ['thin lines', 4, drawThinLines],
    ['gray lines', 2, drawGrayLines],
    ['discs', 4, drawDiscs],
  ] as const)('no halo in %s, enlarged %i times', async (_, scale, draw) => {
    const image = await draw().extract({ left: 40, top: 30, width: 64, height: 48 }).png().toBuffer();
    const { data, engine, channels } = await enlarge(image, { scale });
    expect([engine, channels]).toEqual(['darkroom on cpu', 3]);
    expect(await largestHalo(image, scale, data)).toBeLessThanOrEqual(HALO_MAX);
  });

  test.each(['darkroom', 'darkroom-restore', 'darkroom-fast'])('no colour in gray: %s', async (model) => {
    const photograph = sharp('public/samples/lemur.jpg').resize(160).grayscale();
    for (const space of ['b-w', 'srgb']) {
      const image = await photograph.clone().toColourspace(space).png().toBuffer();
      const { data, channels } = await enlarge(image, { model });
      expect([channels, largestTint(data)]).toEqual([3, 0]);
    }
  });

  test.each([
    ['darkroom', '#f00000'],
    ['darkroom-restore', '#030201'],
    ['darkroom-fast', '#35a07c'],
  ])('no pattern in a flat image: %s', async (model, background) => {
    const image = await sharp({ create: { width: 50, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
    const colour = background.match(/\w\w/g)?.map((part) => Number.parseInt(part, 16)) ?? [];
    for (const scale of [2, 4] as const) {
      const { data } = await enlarge(image, { model, scale });
      const errors = Array.from(data, (value, at) => Math.abs(value - (colour[at % 3] as number)));
      expect(errors.reduce((most, error) => Math.max(most, error), 0)).toBeLessThanOrEqual(1);
    }
  });
});
