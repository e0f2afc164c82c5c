import sharp from 'sharp';
import { expect, test } from 'vitest';
import { previewFill } from '../../../../models/operations/extend/preview-fill.ts';
import { createNodeRuntime } from '../../../../server/runtime/node-runtime.ts';

const runtime = createNodeRuntime({ signal: new AbortController().signal });
const margins = { expand_left: 0, expand_right: 0, expand_top: 0, expand_bottom: 0 };

async function picture(width: number, height: number): Promise<Blob> {
  const png = await sharp({ create: { width, height, channels: 3, background: '#3060a0' } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(png)]);
}

test('a preview is small, has the shape of the whole canvas, and continues the image', async () => {
  const { blob, quality, weakness } = await previewFill(
    await picture(1200, 900),
    { ...margins, expand_right: 300 },
    runtime,
  );
  const { data, info } = await sharp(await blob.arrayBuffer())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.width * info.height).toBeLessThan(95_000);
  expect(info.width / info.height).toBeCloseTo(1500 / 900, 1);
  const last = data.subarray(data.length - 3);
  [0x30, 0x60, 0xa0].forEach((value, channel) => {
    expect(Math.abs((last[channel] as number) - value)).toBeLessThan(4);
  });
  expect({ quality, weakness }).toEqual({ quality: expect.closeTo(0.76, 1), weakness: 'margin' });
});

test('nothing to add is a bad request, as in a run', async () => {
  await expect(
    previewFill(await picture(40, 30), { ...margins, zoom_out_percentage: 100 }, runtime),
  ).rejects.toMatchObject({ code: 'bad_request' });
});
