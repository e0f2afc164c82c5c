// @module-tag long

import { createHash } from 'node:crypto';
import { openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Frame, Raster } from '../../../models/core/runtime/raster.ts';
import { toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import { mediaConvertImage } from '../../../models/operations/convert/operation.ts';
import { convert, convertToBlob, decodeFirstFrame, decodeFrames, psnr } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

/** Files of other encoders and of their test suites. The twins are formats.test.ts and the others next to it. */
const SHARED = sharedData('data/convert');
const images = (folder: string) =>
  SHARED.isMissing
    ? []
    : readdirSync(join(SHARED.path, folder)).filter((name) =>
        /\.(jpe?g|png|webp|gif|bmp|tiff?|avif|hei[cf]|mpo)$/i.test(name),
      );
const file = (name: string) => openAsBlob(join(SHARED.path, name));

/** Kinds without a decoder, and deliberately broken files. All are rejected, none crashes. */
const REFUSED = new Set([
  ...['b_badbitcount', 'b_badrle', 'b_badwidth', 'b_reallybig', 'b_shortfile'].map(
    (name) => `bmpsuite/${name}.bmp`,
  ),
  ...['xc1n0g08', 'xcsn0g01', 'xd3n2c08', 'xd9n2c08', 'xdtn0g01', 'xs1n0g01', 'xs2n0g01'].map(
    (name) => `pngsuite/${name}.png`,
  ),
  // WebP in a TIFF, which the engine of the tab cannot read.
  'pillow/hopper_webp.tif',
  'libheif/avc32.heif',
  'libheif/j2k32.heif',
  'libheif/rgb_generic_compressed_zlib.heif',
  'libheif/simple_osm_tile_alpha.avif',
  'pillow/10ct_32bit_128.tiff',
  'pillow/apng_syntax_num_frames_zero.png',
  'pillow/old-style-jpeg-compression.tif',
]);

/** Browsers play a delay of 0 like this, and the WebP encoder writes it so. */
const ZERO_PLAYS_MS = 100;

const FOLDERS = [
  'av1avif_linku',
  'av1avif_xiph',
  'bmpsuite',
  'exif_orientation',
  'exif_samples',
  'libavif',
  'libheif',
  'pillow',
  'pngsuite',
  'sharp',
  'webp',
];

describe.skipIf(SHARED.isMissing).each(FOLDERS)(SHARED.titled('%s'), (folder) => {
  test('every image converts, or is rejected with a reason', { timeout: 120_000 }, async () => {
    for (const name of images(folder)) {
      const path = `${folder}/${name}`;
      const run = convert(await file(path), { to_format: 'png' });
      if (REFUSED.has(path)) await expect(run, path).rejects.toMatchObject({ name: 'OperationError' });
      else await expect(run, path).resolves.toMatchObject({ files: [{ name: 'output.png' }] });
    }
  });
});

describe.skipIf(SHARED.isMissing)(SHARED.titled('the truth that comes with the data'), () => {
  const decoded = async (name: string): Promise<Raster> =>
    decodeFirstFrame(await convertToBlob(await file(name), { to_format: 'png' }));

  test.each([
    'pal1',
    'pal8',
    'pal8os2',
    'pal8topdown',
    'pal8v4',
    'pal8v5',
    'pal8-0',
    'pal8w124',
    'pal8w125',
    'pal4rle',
    'rgb16',
    'rgb16-565',
    'rgb16-565pal',
  ])('g_%s.bmp looks like its reference', async (name) => {
    const reference =
      /^(pal1|pal8w12.|rgb16-565|rgb16)/.exec(name)?.[0] ?? (name === 'pal4rle' ? 'pal4' : 'pal8');
    const expected = await decoded(`bmpsuite/html_${reference}.png`);
    expect(psnr(expected, await decoded(`bmpsuite/g_${name}.bmp`))).toBeGreaterThan(48);
  });

  test.each(['n0g16', 'n2c08', 'n3p04'])('PNG files of all gammas (%s) look alike', async (kind) => {
    const names = images('pngsuite').filter((name) => name.startsWith('g') && name.includes(kind));
    const means = await Promise.all(
      names.map(async (name) => {
        const { data } = toEightBits(await decoded(`pngsuite/${name}`));
        return data.reduce((sum, sample) => sum + sample, 0) / data.length;
      }),
    );
    expect(means.length).toBeGreaterThan(1);
    expect(Math.max(...means) - Math.min(...means)).toBeLessThan(3);
  });

  test('files of 24 and 32 bits per pixel give the same image', async () => {
    const expected = await decoded('bmpsuite/g_rgb24.bmp');
    for (const name of ['g_rgb32', 'g_rgb24pal', 'q_rgb32fakealpha', 'q_rgb24lprof']) {
      expect(psnr(expected, await decoded(`bmpsuite/${name}.bmp`)), name).toBeGreaterThan(99);
    }
  });

  test('all eight orientations give the same image', async () => {
    const expected = await decoded('exif_orientation/Landscape_1.jpg');
    for (let orientation = 2; orientation <= 8; orientation++) {
      const picture = await decoded(`exif_orientation/Landscape_${orientation}.jpg`);
      expect(psnr(expected, picture), `orientation ${orientation}`).toBeGreaterThan(29);
    }
  });

  test('rotated AVIF files come out upright', async () => {
    const expected = await decoded('av1avif_linku/kimono.avif');
    for (const turn of [90, 270]) {
      expect(
        psnr(expected, await decoded(`av1avif_linku/kimono.rotate${turn}.avif`)),
        `${turn}`,
      ).toBeGreaterThan(35);
    }
  });

  test('WebP samples equal those of the reference decoder, byte by byte', async () => {
    const sums = new Map(
      readFileSync(join(SHARED.path, 'webp/libwebp_tests.md5'), 'utf8')
        .split('\n')
        .map((line) => line.split(/\s+/).reverse() as [string, string]),
    );
    let compared = 0;
    for (const name of images('webp')) {
      const expected = sums.get(`${name}.ppm`);
      if (!expected) continue;
      const { width, height, data } = await decoded(`webp/${name}`);
      const rgb = Buffer.alloc(width * height * 3);
      for (let at = 0; at < width * height; at++) rgb.set(data.subarray(at * 4, at * 4 + 3), at * 3);
      const ppm = Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), rgb]);
      expect(createHash('md5').update(ppm).digest('hex'), name).toBe(expected);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });

  test('an animation keeps its frames and its duration', async () => {
    for (const name of ['sharp/rotating-squares.gif', 'pillow/iss634.webp', 'pillow/dispose_bgnd.gif']) {
      const source = await decodeFrames(await file(name));
      const target = await decodeFrames(await convertToBlob(await file(name), { to_format: 'webp' }));
      const length = (frames: readonly Frame[]) =>
        frames.reduce((sum, { durationMs }) => sum + (durationMs || ZERO_PLAYS_MS), 0);
      expect(length(target), name).toBe(length(source));
      // The encoder joins equal frames into a longer one.
      const changes = source.filter((frame, at) => at === 0 || psnr(source[at - 1] ?? frame, frame) < 99);
      expect(target.length, name).toBe(changes.length);
    }
  });

  test('an iPhone photo keeps its camera model and Display P3 profile', { timeout: 120_000 }, async () => {
    const photo = await file('exif_samples/heic_mobile_iphone_13_pro_max.HEIC');
    expect(await mediaConvertImage.quote(photo, { to_format: 'jpg' })).toMatchObject({
      facts: { format: 'heic', width: 3024, height: 4032 },
    });
    const plain = await decodeFirstFrame(await convertToBlob(photo, { to_format: 'jpg' }));
    const kept = await convertToBlob(photo, { to_format: 'jpg', keep_metadata: true });
    expect([plain.width, plain.height]).toEqual([3024, 4032]);
    expect(psnr(plain, await decodeFirstFrame(kept))).toBeGreaterThan(38);
    const bytes = Buffer.from(await kept.arrayBuffer());
    expect(bytes.includes('iPhone 13 Pro Max')).toBe(true);
    expect(bytes.includes('ICC_PROFILE')).toBe(true);
  });
});

describe.skipIf(SHARED.isMissing)(SHARED.titled('hostile'), () => {
  test.each(images('hostile'))('%s is converted or rejected', async (name) => {
    const outcome = await convert(await file(`hostile/${name}`), { to_format: 'png' }).then(
      () => 'converted',
      (error) => error.code,
    );
    expect(['converted', 'bad_request', 'unprocessable']).toContain(outcome);
  });
});
