import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readExifResolution } from '../../../models/media/image/metadata/set-resolution.ts';
import {
  convert,
  convertToBlob,
  decodeFrames,
  decodeImage,
  imageFixture,
} from '../../support/media/images.ts';

const RED = { r: 220, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 220 };

/** Image whose left half is red and whose right half is blue. */
async function halves(width: number, height: number, options: { readonly orientation?: number } = {}) {
  const right = await sharp({ create: { width: width / 2, height, channels: 3, background: BLUE } })
    .png()
    .toBuffer();
  const image = sharp({ create: { width, height, channels: 3, background: RED } })
    .composite([{ input: right, left: width / 2, top: 0 }])
    .png();
  const file = await (options.orientation
    ? image.withMetadata({ orientation: options.orientation })
    : image
  ).toBuffer();
  return new Blob([new Uint8Array(file)]);
}

interface Result {
  readonly width: number;
  readonly height: number;
  /** Colours at points, as letters: r, b, w(hite), k (black), - (transparent), ? for others. */
  at(...points: readonly (readonly [number, number])[]): string;
}

async function read(blob: Blob, frame = 0): Promise<Result> {
  const raster = (await decodeFrames(blob))[frame];
  if (!raster) throw new Error('no such frame');
  const { width, height, data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const letter = ([x, y]: readonly [number, number]) => {
    const from = (y * width + x) * 4;
    const [r = 0, g = 0, b = 0, a = 0] = [...data.slice(from, from + 4)].map((sample) => sample / most);
    if (a === 0) return '-';
    if (r > 0.95 && g > 0.95 && b > 0.95) return 'w';
    if (r < 0.05 && g < 0.05 && b < 0.05) return 'k';
    if (r > 0.7 && b < 0.3) return 'r';
    return b > 0.7 && r < 0.3 ? 'b' : '?';
  };
  return { width, height, at: (...points) => points.map(letter).join('') };
}

const corners = ({ width, height, at }: Result) =>
  at([1, 1], [width - 2, 1], [1, height - 2], [width - 2, height - 2]);

describe('the geometry of a conversion', () => {
  test.each([
    ['a crop', { crop: { x: 30, y: 5, width: 20, height: 10 } }, 20, 10, 'rbrb'],
    ['a quarter turn', { rotate: 90 }, 40, 80, 'rrbb'],
    ['three quarter turns', { rotate: 270 }, 40, 80, 'bbrr'],
    ['a half turn', { rotate: 180 }, 80, 40, 'brbr'],
    ['a horizontal flip', { flip: 'horizontal' }, 80, 40, 'brbr'],
    ['a vertical flip after a quarter turn', { rotate: 90, flip: 'vertical' }, 40, 80, 'bbrr'],
    ['a width', { width: 20 }, 20, 10, 'rbrb'],
    ['a height', { height: 10 }, 20, 10, 'rbrb'],
    ['both sides', { width: 20, height: 20 }, 20, 10, 'rbrb'],
    ['a side that rounds to nothing', { height: 1, crop: { x: 0, y: 0, width: 1, height: 40 } }, 1, 1, ''],
    ['fill', { width: 10, height: 30, fit: 'fill' }, 10, 30, 'rbrb'],
    ['cover', { width: 20, height: 20, fit: 'cover' }, 20, 20, 'rbrb'],
    ['cover to the west', { width: 20, height: 20, fit: 'cover', gravity: 'west' }, 20, 20, 'rrrr'],
    ['cover to the southeast', { width: 20, height: 20, fit: 'cover', gravity: 'southeast' }, 20, 20, 'bbbb'],
    ['contain', { width: 40, height: 40, fit: 'contain' }, 40, 40, '----'],
    ['contain on a colour', { width: 40, height: 40, fit: 'contain', pad_color: '#000' }, 40, 40, 'kkkk'],
    ['contain in the north', { width: 40, height: 40, fit: 'contain', gravity: 'north' }, 40, 40, 'rb--'],
    [
      'contain over a background',
      { width: 40, height: 40, fit: 'contain', background: '#fff' },
      40,
      40,
      'wwww',
    ],
    [
      'a turned contain',
      { rotate: 90, width: 40, height: 40, fit: 'contain', gravity: 'west' },
      40,
      40,
      'r-b-',
    ],
    [
      'a crop, turned, flipped and cut',
      {
        crop: { x: 0, y: 0, width: 60, height: 40 },
        rotate: 90,
        flip: 'vertical',
        width: 10,
        height: 10,
        fit: 'cover',
        gravity: 'north',
      },
      10,
      10,
      'bbrr',
    ],
    ['enlarge', { width: 160, enlarge: true }, 160, 80, 'rbrb'],
  ] as const)('%s', async (_, params, width, height, expected) => {
    const result = await read(await convertToBlob(await halves(80, 40), { to_format: 'png', ...params }));
    expect([result.width, result.height]).toEqual([width, height]);
    if (expected) expect(corners(result)).toBe(expected);
  });

  test('applies to the upright image', async () => {
    // Stored on its side: upright it is 40 x 80 and red above.
    const input = await halves(80, 40, { orientation: 6 });
    const result = await read(
      await convertToBlob(input, {
        to_format: 'png',
        crop: { x: 0, y: 20, width: 40, height: 40 },
        width: 20,
      }),
    );
    expect([result.width, result.height, corners(result)]).toEqual([20, 20, 'rrbb']);
    await expect(
      convert(input, { to_format: 'png', crop: { x: 0, y: 0, width: 41, height: 10 } }),
    ).rejects.toMatchObject({
      code: 'bad_request',
      field: 'crop',
      message: expect.stringContaining('40 x 80'),
    });
  });

  test.each([
    ['inside', { width: 100 }, 80, 40],
    ['contain', { width: 100, height: 100, fit: 'contain' }, 100, 100],
    ['cover', { width: 100, height: 20, fit: 'cover' }, 80, 20],
    ['fill', { width: 60, height: 60, fit: 'fill' }, 60, 40],
  ] as const)('%s does not enlarge the image unless asked', async (_, params, width, height) => {
    const { files, warnings } = await convert(await halves(80, 40), { to_format: 'png', ...params });
    const { width: w, height: h } = await decodeImage(files[0]?.blob as Blob);
    expect([w, h]).toEqual([width, height]);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/^not_enlarged: /)]);
  });

  test.each([
    ['white where the target has no alpha', { to_format: 'jpg' }, 'wwww'],
    ['the colour', { to_format: 'jpg', pad_color: 'black' }, 'kkkk'],
    ['transparent where it has', { to_format: 'webp' }, '----'],
  ])('contain pads with %s', async (_, params, expected) => {
    const request = { width: 40, height: 40, fit: 'contain', ...params };
    expect(corners(await read(await convertToBlob(await halves(80, 40), request)))).toBe(expected);
  });

  test('every frame of an animation changes alike, and keeps its time', async () => {
    const input = await imageFixture('animated.gif');
    const before = await decodeFrames(input);
    for (const to_format of ['gif', 'webp']) {
      const after = await decodeFrames(
        await convertToBlob(input, {
          to_format,
          rotate: 90,
          width: 20,
          height: 30,
          fit: 'contain',
          pad_color: '#000',
        }),
      );
      expect(after.map(({ width, height, durationMs }) => [width, height, durationMs])).toEqual(
        before.map(({ durationMs }) => [20, 30, durationMs]),
      );
    }
  });

  test('16 bits stay, and white is white', async () => {
    const data = new Uint16Array(40 * 20 * 4).map((_, at) => (at % 4 === 3 ? 0 : 12_345));
    const input = await sharp(data, { raw: { width: 40, height: 20, channels: 4 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    const blob = await convertToBlob(new Blob([new Uint8Array(input)]), {
      to_format: 'png',
      width: 20,
      background: '#fff',
    });
    const [frame] = await decodeFrames(blob);
    expect(frame?.data).toBeInstanceOf(Uint16Array);
    expect(new Set(frame?.data)).toEqual(new Set([65_535]));
  });

  test('attention keeps what stands out', async () => {
    const dot = await sharp({ create: { width: 30, height: 30, channels: 3, background: RED } })
      .png()
      .toBuffer();
    const input = await sharp({ create: { width: 400, height: 100, channels: 3, background: '#ccc' } })
      .composite([{ input: dot, left: 340, top: 35 }])
      .png()
      .toBuffer();
    const result = await read(
      await convertToBlob(new Blob([new Uint8Array(input)]), {
        ...{ to_format: 'png', width: 100, height: 100, fit: 'cover', gravity: 'attention' },
      }),
    );
    const row = Array.from({ length: 100 }, (_, x) => result.at([x, 50])).join('');
    expect(row.match(/r+/)?.[0].length).toBe(30);
  });

  test('EXIF dimensions are those of the result, and the resolution is turned with it', async () => {
    const input = await sharp({ create: { width: 80, height: 40, channels: 3, background: RED } })
      .withExif({
        IFD0: { ImageWidth: '80', ImageLength: '40' },
        IFD2: { PixelXDimension: '80', PixelYDimension: '40' },
      })
      .withMetadata({ density: 150 })
      .jpeg()
      .toBuffer();
    const params = { to_format: 'jpg', keep_metadata: true, rotate: 90, width: 20 };
    const file = await convertToBlob(new Blob([new Uint8Array(input)]), params);
    const meta = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    expect([meta.width, meta.height, meta.density]).toEqual([20, 40, 150]);
    expect(readExifResolution((await decodeImage(file)).metadata.exif as never)).toEqual({ x: 150, y: 150 });
  });

  test.each(['jpg', 'png', 'tiff'])('dpi is written into %s without other metadata', async (to_format) => {
    const file = await convertToBlob(await halves(80, 40), { to_format, dpi: 300 });
    expect((await sharp(Buffer.from(await file.arrayBuffer())).metadata()).density).toBe(300);
  });

  test.each(['webp', 'avif', 'heic'])('dpi is written into the EXIF of %s', async (to_format) => {
    const file = await convertToBlob(await halves(80, 40), { to_format, dpi: 72 });
    expect(readExifResolution((await decodeImage(file)).metadata.exif as never)).toEqual({ x: 72, y: 72 });
  });

  test('a format without a place for it says so', async () => {
    const { warnings } = await convert(await halves(80, 40), { to_format: 'gif', dpi: 72 });
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/^dpi: gif/)]);
  });
});

describe('max_bytes', () => {
  const photo = async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 500, height: 400, channels: 3, background: '#888', noise } as const;
    return new Blob([new Uint8Array(await sharp({ create }).blur(1.5).png().toBuffer())]);
  };

  test.each(['jpg', 'webp', 'avif'])('gives the best %s that fits', async (to_format) => {
    const input = await photo();
    const full = await convertToBlob(input, { to_format });
    const max_bytes = Math.max(1000, Math.round(full.size * 0.6));
    const { files, warnings } = await convert(input, { to_format, max_bytes });
    const size = files[0]?.blob.size ?? 0;
    expect(size).toBeLessThanOrEqual(max_bytes);
    expect(size).toBeGreaterThan(max_bytes * 0.8);
    expect(warnings).toEqual([]);
  });

  test('changes nothing where the file fits anyway', async () => {
    const input = await photo();
    const full = await convertToBlob(input, { to_format: 'jpg' });
    const limited = await convertToBlob(input, { to_format: 'jpg', max_bytes: 50_000_000 });
    expect(limited.size).toBe(full.size);
  });

  test('warns where even the lowest quality is too large', async () => {
    const { warnings } = await convert(await photo(), { to_format: 'jpg', max_bytes: 1000 });
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^max_bytes_not_reached: /),
    ]);
  });
});

test.each([
  ['fit', { fit: 'cover', width: 10 }],
  ['fit', { fit: 'inside' }],
  ['gravity', { gravity: 'north', width: 10, height: 10 }],
  ['gravity', { gravity: 'attention', width: 10, height: 10, fit: 'contain' }],
  ['pad_color', { pad_color: '#fff', width: 10, height: 10, fit: 'cover' }],
  ['pad_color', { pad_color: 'no colour', width: 10, height: 10, fit: 'contain' }],
  ['background', { background: 'url(x)' }],
  ['max_bytes', { max_bytes: 5000 }],
  ['max_bytes', { max_bytes: 999, to_format: 'jpg' }],
  ['rotate', { rotate: 45 }],
  ['width', { width: 0 }],
  ['width', { width: 16_385 }],
  ['width', { width: 1.5 }],
  ['width', { width: 16_384, height: 16_384, fit: 'fill', enlarge: true }],
  ['height', { height: 16_384, enlarge: true, crop: { x: 0, y: 0, width: 20, height: 20 } }],
  ['width', { width: 16_384, enlarge: true, to_format: 'webp' }],
  ['crop', { crop: { x: 70, y: 0, width: 11, height: 1 } }],
  ['crop.width', { crop: { x: 0, y: 0, width: 0, height: 1 } }],
  ['dpi', { dpi: 0 }],
  ['output_name', { output_name: '../x' }],
  ['output_name', { output_name: '..' }],
] as const)('a wrong %s is refused by name: %j', async (field, params) => {
  await expect(convert(await halves(80, 40), { to_format: 'png', ...params })).rejects.toMatchObject({
    code: 'bad_request',
    field,
  });
});
