import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../../models/core/runtime/raster.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { packGifLzw, unpackGifLzw } from '../../../models/media/image/gif/lzw.ts';
import { openUncoveredGif } from '../../../models/media/image/gif/open-gif.ts';
import { writeExactGif } from '../../../models/media/image/gif/write-gif.ts';
import { createGif, type GifFrameOptions } from '../../support/media/gif-files.ts';
import { convert, convertToBlob, decodeFirstFrame, decodeFrames } from '../../support/media/images.ts';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const NOTHING = [0, 0, 0, 0];
const WHITE = [255, 255, 255, 255];
const WHOLE = { width: 20, height: 10 };
const PART = { left: 10, top: 2, width: 4, height: 6 };

const all = { frames: 'all', signal: new AbortController().signal } as const;

function pixel({ data, width }: Frame, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

const asBlob = (...frames: GifFrameOptions[]) => new Blob([createGif({ screen: [20, 10], frames })]);

describe('ground that no frame of a GIF covers', () => {
  /** 640 x 480 is one of the sizes that libvips takes for those of a screen, not of the image. */
  describe.each([
    [20, 10],
    [640, 480],
    [2100, 2060],
  ] as const)('of %i x %i', (width, height) => {
    const file = () => new Blob([createGif({ screen: [width, height], frames: [{ ...PART, index: 0 }] })]);

    test.each(['png', 'webp', 'gif', 'tiff'])('is transparent in %s', async (to_format) => {
      const frame = await decodeFirstFrame(await convertToBlob(file(), { to_format }));
      expect([frame.width, frame.height]).toEqual([width, height]);
      expect([pixel(frame, 11, 4), pixel(frame, 2, 2)]).toEqual([RED, NOTHING]);
    });

    test.each(['jpg', 'bmp'])('is white in %s', async (to_format) => {
      const frame = await decodeFirstFrame(await convertToBlob(file(), { to_format, quality: 100 }));
      expect(pixel(frame, 2, 2)).toEqual(WHITE);
    });
  });

  test('is transparent where a frame without transparency was disposed of', async () => {
    const frames = [
      { ...WHOLE, index: 0, disposal: 1 },
      { ...PART, index: 2, disposal: 2 },
      { ...WHOLE, width: 4, index: 1 },
    ];
    for (const to_format of ['webp', 'gif']) {
      const shown = await decodeFrames(await convertToBlob(asBlob(...frames), { to_format }));
      expect(shown.map((frame) => pixel(frame, 11, 4))).toEqual([RED, BLUE, NOTHING]);
      expect(shown.map((frame) => pixel(frame, 1, 4))).toEqual([RED, RED, GREEN]);
    }
  });

  test('comes back where a frame is taken back', async () => {
    const frames = [
      { ...WHOLE, index: 0, disposal: 3 },
      { ...PART, index: 2 },
    ];
    const shown = await decodeFrames(asBlob(...frames));
    expect(shown.map((frame) => pixel(frame, 1, 4))).toEqual([RED, NOTHING]);
  });

  test('is not looked for where opaque frames hide it', () => {
    const covered = [
      { ...WHOLE, index: 0, disposal: 2 },
      { ...WHOLE, index: 1, disposal: 2 },
    ];
    expect(openUncoveredGif(createGif({ screen: [20, 10], frames: covered }), all, {})).toBeNull();
  });
});

describe('the screen of a GIF', () => {
  test.each([
    [0, 0],
    [0, 10],
    [5, 4],
  ] as const)('of %i x %i is at least as large as the first frame', async (width, height) => {
    const frames = [
      { ...WHOLE, index: 0 },
      { width: 30, height: 4, index: 1 },
    ];
    const file = new Blob([createGif({ screen: [width, height], frames })]);
    const shown = await decodeFrames(await convertToBlob(file, { to_format: 'webp' }));
    expect(shown.map((frame) => [frame.width, frame.height])).toEqual([
      [20, 10],
      [20, 10],
    ]);
    expect(shown.map((frame) => pixel(frame, 1, 1))).toEqual([RED, GREEN]);
  });

  test('that a first frame makes too large is refused by its pixels', async () => {
    const huge = createGif({ screen: [1, 1], frames: [{ ...WHOLE, index: 0 }] });
    const at = huge.indexOf(0x2c);
    huge.set([0xff, 0xff, 0xff, 0xff], at + 5);
    await expect(convert(new Blob([huge]), { to_format: 'png' })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('65535 x 65535'),
    });
  });

  test('does not bound what a later frame may ask for', async () => {
    const frames = [
      { ...PART, index: 0 },
      { ...PART, index: 1 },
    ];
    const file = createGif({ screen: [20, 10], frames });
    file.set([0xff, 0xff, 0xff, 0xff], file.lastIndexOf(0x2c) + 5);
    await expect(convert(new Blob([file]), { to_format: 'webp' })).rejects.toMatchObject({
      code: 'unprocessable',
    });
  });
});

/** Makes frames of so many colours, which differ between frames. */
function getFrames(colours: number, frameCount: number, clear = 0): Frame[] {
  const [width, height] = [32, 24];
  return Array.from({ length: frameCount }, (_, place) => {
    const data = new Uint8Array(width * height * 4);
    for (let at = 0; at < data.length / 4; at++) {
      const index = at % (colours + clear);
      if (index < colours) data.set([index, (index * 7 + place) & 255, 255 - index, 255], at * 4);
    }
    return { width, height, data, durationMs: 100 };
  });
}

function pictureOf(frames: readonly Frame[], loopCount = 0): Picture {
  const { width, height } = frames[0] ?? { width: 0, height: 0 };
  return {
    width,
    height,
    frameCount: frames.length,
    loopCount,
    hasAlpha: true,
    bitDepth: 8,
    metadata: {},
    async *frames() {
      yield* frames;
    },
  };
}

describe('a GIF is written without loss', () => {
  test.each([
    [256, 0],
    [255, 1],
    [252, 0],
    [2, 0],
  ])('from %i colours and %i transparent one', async (colours, clear) => {
    const [frame] = getFrames(colours, 1, clear);
    if (!frame) throw new Error('no frame');
    const raw = { width: frame.width, height: frame.height, channels: 4 } as const;
    const png = new Blob([new Uint8Array(await sharp(frame.data, { raw }).png().toBuffer())]);
    const { data } = await decodeFirstFrame(await convertToBlob(png, { to_format: 'gif' }));
    expect(data).toEqual(frame.data);
  });

  test('from an animation whose frames have 256 colours each', async () => {
    const expected = getFrames(256, 3);
    const source = new Blob([(await writeExactGif(pictureOf(expected))) ?? '']);
    const frames = await decodeFrames(await convertToBlob(source, { to_format: 'gif' }));
    expect(frames.map(({ data }) => data)).toEqual(expected.map(({ data }) => data));
  });

  test('from any frames of few colours, for our reader and that of libvips', async () => {
    const colour = fc.constantFrom([0, 0, 0, 0], RED, GREEN, BLUE, [9, 8, 7, 255]);
    const frame = fc.array(colour, { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(frame, { minLength: 1, maxLength: 5 }),
        fc.nat(3),
        async (drawn, loopCount) => {
          const frames = drawn.map((colours, place): Frame => {
            return { width: 4, height: 3, data: new Uint8Array(colours.flat()), durationMs: 10 * place };
          });
          const file = await writeExactGif(pictureOf(frames, loopCount));
          if (!file) throw new Error('the frames have few colours');
          const read = await decodeFrames(new Blob([file]));
          expect(read.map(({ durationMs }) => durationMs)).toEqual(
            frames.map(({ durationMs }) => durationMs),
          );
          expect(read.map(({ data }) => data)).toEqual(frames.map(({ data }) => data));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('or by the encoder, where a frame has more colours or is half transparent', async () => {
    expect(await writeExactGif(pictureOf(getFrames(256, 1, 1)))).toBeNull();
    const half = getFrames(9, 1);
    half[0]?.data.fill(128, 3, 4);
    expect(await writeExactGif(pictureOf(half))).toBeNull();
  });
});

test('colours of any length are packed and unpacked', () => {
  const colours = fc.integer({ min: 2, max: 8 }).chain((bits) =>
    fc.record({
      bits: fc.constant(bits),
      data: fc.uint8Array({ maxLength: 30_000, max: 2 ** bits - 1, size: 'max' }),
    }),
  );
  fc.assert(
    fc.property(colours, ({ bits, data }) => {
      const bytes: Bytes = new Uint8Array(data);
      expect(unpackGifLzw(packGifLzw(bytes, bits), bits, bytes.length)).toEqual(bytes);
    }),
    { numRuns: 40 },
  );
});
