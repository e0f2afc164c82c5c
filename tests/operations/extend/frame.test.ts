import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageOutpaint } from '../../../models/operations/extend/operation.ts';
import type { OutpaintParams } from '../../../models/operations/extend/schema.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createModerationInference } from '../../support/models/moderation.ts';
import { createOutpaintInference } from '../../support/models/outpaint.ts';

async function extend(image: Uint8Array, params: Partial<OutpaintParams>, guides: string[] = []) {
  const inference = createOutpaintInference(guides, createModerationInference(['nsfw-mobilenet']));
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const { files } = await imageOutpaint.execute(
    new Blob([new Uint8Array(image)]),
    { seed: 7, ...params },
    runtime,
  );
  const bytes = new Uint8Array((await files[0]?.blob.arrayBuffer()) ?? []);
  return sharp(bytes).raw().toBuffer({ resolveWithObject: true });
}

/** Bright image of soft waves, 96 x 80, with a dark line around it. */
function scan(frame: number, line: number) {
  const [width, height] = [96, 80];
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isFrame = Math.min(x, y, width - 1 - x, height - 1 - y) < frame;
    const level = 190 + 30 * Math.sin(x / 5) * Math.cos(y / 7);
    data.set(isFrame ? [line, line, line] : [level, level - 20, level - 60], at * 3);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

describe('the frame of a scan', () => {
  test.each([
    [1, 0, []],
    [2, 99, []],
    [4, 20, ['lama-opencv']],
  ] as const)('of %i pixels of %i is not drawn on (guides: %o)', async (frame, line, guides) => {
    const image = await scan(frame, line);
    const margins = { expand_left: 24, expand_right: 24, expand_top: 20, expand_bottom: 20 };
    const { data } = await extend(image, margins, [...guides]);
    // Nothing in the image but its frame is as dark.
    expect(Math.min(...data.filter((_, at) => at % 3 === 0))).toBeGreaterThan(110);
  });

  test('of one pixel in a JPEG, which the colours of the content tint, is not drawn on', async () => {
    const image = await sharp(await scan(1, 0))
      .jpeg({ quality: 85 })
      .toBuffer();
    const margins = { expand_left: 24, expand_right: 24, expand_top: 20, expand_bottom: 20 };
    const { data } = await extend(image, { ...margins, enable_safety_checker: false });
    expect(Math.min(...data.filter((_, at) => at % 3 === 0))).toBeGreaterThan(90);
  });

  test('stays on the sides where nothing is added', async () => {
    const { data, info } = await extend(await scan(2, 0), { expand_right: 32 });
    const redAt = (x: number, y: number) => data[(y * info.width + x) * info.channels] as number;
    expect([redAt(0, 40), redAt(50, 0), redAt(50, 79)]).toEqual([0, 0, 0]);
    for (const y of [0, 1, 40, 78, 79]) {
      for (let x = 96; x < 128; x++) expect(redAt(x, y)).toBeGreaterThan(110);
    }
  });

  test('is left out of an image that is made smaller', async () => {
    const { data } = await extend(await scan(2, 0), { zoom_out_percentage: 60 });
    expect(Math.min(...data.filter((_, at) => at % 3 === 0))).toBeGreaterThan(110);
  });
});

describe('what the input never had, the extended image has not', () => {
  test.each([[[]], [['lama-opencv']]])('no colour in gray (guides: %o)', async (guides) => {
    const image = await sharp('public/samples/lemur.jpg').resize(120).grayscale().png().toBuffer();
    const { data, info } = await extend(image, { expand_right: 40 }, guides);
    expect(info.channels).toBe(3);
    for (let at = 0; at < data.length; at += 3) {
      if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) expect.fail(`coloured at ${at / 3}`);
    }
  });

  test('no pattern in a flat image', async () => {
    const image = await sharp({ create: { width: 90, height: 70, channels: 3, background: '#35a07c' } })
      .png()
      .toBuffer();
    const { data } = await extend(image, { expand_right: 40, expand_top: 20 });
    const errors = Array.from(data, (value, at) => Math.abs(value - ([0x35, 0xa0, 0x7c][at % 3] ?? 0)));
    expect(Math.max(...errors)).toBeLessThanOrEqual(1);
  });
});
