import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Bytes, concat } from '../../../models/media/bytes/byte-writer.ts';
import { readHeifItems } from '../../../models/media/image/heif/read-meta.ts';
import { writeHeif } from '../../../models/media/image/heif/write-heif.ts';
import { createImageSequence } from '../../support/media/image-sequence.ts';
import { convertToBlob, decodeFirstFrame, decodeFrames, psnr } from '../../support/media/images.ts';

const SIDE = 64;
const COLOUR = [220, 40, 30] as const;

/** Makes an image of one colour whose alpha rises from left to right. */
function getRamp(multiply: (level: number, alpha: number) => number): Bytes {
  const data = new Uint8Array(SIDE * SIDE * 4);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = Math.round((((at / 4) % SIDE) * 255) / (SIDE - 1));
    data.set([...COLOUR.map((level) => multiply(level, alpha)), alpha], at);
  }
  return data;
}

async function encode(samples: Bytes, to_format: string): Promise<Blob> {
  const png = await sharp(samples, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .png()
    .toBuffer();
  return convertToBlob(new Blob([new Uint8Array(png)]), { to_format, quality: 100 });
}

/** Says that the colours of a file are multiplied by the image of its alpha. */
async function asPremultiplied(blob: Blob, brand: string): Promise<Blob> {
  const items = readHeifItems(new Uint8Array(await blob.arrayBuffer()));
  const alpha = items.findIndex(({ references = [] }) => references.some(({ type }) => type === 'auxl'));
  expect(alpha).toBeGreaterThan(0);
  const [first, ...others] = items.map((item, place) =>
    place === 0 ? { ...item, references: [...(item.references ?? []), { type: 'prem', to: [alpha] }] } : item,
  );
  if (!first) throw new Error('the file has no items');
  return new Blob([concat(writeHeif(brand, ['mif1', brand, 'miaf'], [first, ...others]))]);
}

/** Expects the one colour wherever alpha leaves enough of it. */
function expectColour({ data }: { data: Uint8Array | Uint16Array }, tolerance: number): void {
  let worst = 0;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    if (alpha < 96) continue;
    COLOUR.forEach((level, channel) => {
      worst = Math.max(worst, Math.abs((data[at + channel] ?? 0) - level));
    });
  }
  expect(worst).toBeLessThanOrEqual(tolerance);
}

describe.each(['avif', 'heic'])('%s with colours multiplied by alpha', (format) => {
  test.each(['png', 'webp', 'tiff', 'gif'])('has straight ones as %s', async (to_format) => {
    const multiplied = await encode(
      getRamp((level, alpha) => Math.round((level * alpha) / 255)),
      format,
    );
    const file = await asPremultiplied(multiplied, format);
    expectColour(await decodeFirstFrame(await convertToBlob(file, { to_format })), 16);
  });

  test('looks as the same image with straight alpha on white', async () => {
    const toJpeg = async (file: Blob) => decodeFirstFrame(await convertToBlob(file, { to_format: 'jpg' }));
    const multiplied = await encode(
      getRamp((level, alpha) => Math.round((level * alpha) / 255)),
      format,
    );
    const one = await toJpeg(await asPremultiplied(multiplied, format));
    const other = await toJpeg(
      await encode(
        getRamp((level) => level),
        format,
      ),
    );
    expect(psnr(one, other)).toBeGreaterThan(34);
  });

  test('stays as it is when nothing says so', async () => {
    const straight = await encode(
      getRamp((level) => level),
      format,
    );
    expectColour(await decodeFirstFrame(straight), 6);
  });

  test('has straight ones in each frame of a sequence', async () => {
    const file = await createImageSequence(
      format as 'avif' | 'heic',
      [
        [110, 20, 15],
        [55, 10, 8],
      ],
      { durationsMs: [50, 50], plays: 1, opacities: [128, 64], isPremultiplied: true },
    );
    const frames = await decodeFrames(file);
    expect(frames).toHaveLength(2);
    for (const { data } of frames)
      COLOUR.forEach((level, channel) => {
        expect(Math.abs((data[channel] ?? 0) - level)).toBeLessThanOrEqual(14);
      });
  });
});
