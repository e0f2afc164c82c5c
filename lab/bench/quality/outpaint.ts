import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { PixelRegion, Raster8 } from '../../../models/core/runtime/raster.ts';
import { extractRegion } from '../../../models/kernels/raster/crop.ts';
import { OUTPAINT_ENGINES } from '../../../models/operations/extend/engines.ts';
import { imageOutpaint } from '../../../models/operations/extend/operation.ts';
import { readEnv } from '../../../server/base/env.ts';
import { openInference } from '../../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { getLuma, structuralSimilarity } from '../../quality/ssim.ts';
import { SHARED } from '../../support/shared-folder.ts';
import { readPhoto } from './judged-pictures.ts';

/** Share of each side that is kept. */
const KEPT_SHARE = 3 / 4;
const SEED = 1;

interface Method {
  readonly name: string;
  /** @param kept part of the photograph, at its place in a canvas of `size` */
  extend(kept: Raster8, region: PixelRegion, size: { width: number; height: number }): Promise<Raster8>;
}

/**
 * Judges how the central three quarters of photographs are extended to the whole: PSNR of red, green and blue and SSIM
 * of luma in the added ring, the gradients of its luma and those across its seam as shares of the truth's, kept pixels
 * that changed, and seconds.
 * @param sheets folder for the extended images, to look at; null keeps none
 * @throws Error when the shared test data is missing
 */
export async function judgeOutpaint(sheets: string | null): Promise<void> {
  const root = join(SHARED, 'data/superres/kodak');
  if (!existsSync(root))
    throw new Error(`There is no folder ${root}: set DARKROOM_SHARED to that of the test data.`);
  if (sheets) await mkdir(sheets, { recursive: true });
  const names = (await readdir(root)).filter((name) => name.endsWith('.png')).sort();
  console.log('| method | ring PSNR | ring SSIM | gradients | seam | kept changed | s |');
  console.log(`|${' --- |'.repeat(7)}`);
  for (const method of await listAvailableMethods()) {
    const sums = { psnr: 0, ssim: 0, gradients: 0, seam: 0, changed: 0, seconds: 0 };
    for (const name of names) {
      const truth = await readPhoto(join(root, name));
      const region = centre(truth);
      const kept = extractRegion(truth, region) as Raster8;
      const startedAtMs = performance.now();
      const result = await method.extend(kept, region, truth);
      sums.seconds += (performance.now() - startedAtMs) / 1000;
      const found = judge(truth, result, region);
      for (const [measure, value] of Object.entries(found)) sums[measure as keyof typeof found] += value;
      if (sheets) await keep(result, join(sheets, `${name.replace('.png', '')}-${method.name}.png`));
    }
    const mean = (sum: number, digits: number) => (sum / names.length).toFixed(digits);
    const { psnr, ssim, gradients, seam, changed, seconds } = sums;
    const figures = [mean(psnr, 2), mean(ssim, 3), mean(gradients, 2), mean(seam, 2), changed];
    console.log(`| ${[method.name, ...figures, mean(seconds, 1)].join(' | ')} |`);
  }
}

function centre({ width, height }: Raster8): PixelRegion {
  const size = { width: Math.round(width * KEPT_SHARE), height: Math.round(height * KEPT_SHARE) };
  return { left: Math.floor((width - size.width) / 2), top: Math.floor((height - size.height) / 2), ...size };
}

/** Measures one result in the ring around what was kept. */
function judge(truth: Raster8, result: Raster8, kept: PixelRegion) {
  const [wanted, found] = [getLuma(truth), getLuma(result)];
  const { width, height } = truth;
  const isKept = (x: number, y: number) =>
    x >= kept.left && x < kept.left + kept.width && y >= kept.top && y < kept.top + kept.height;
  let squares = 0;
  let samples = 0;
  let changed = 0;
  const gradients = { wanted: 0, found: 0 };
  const seam = { wanted: 0, found: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const place = y * width + x;
      const differences = [0, 1, 2].map(
        (channel) => truth.data[place * 4 + channel] - result.data[place * 4 + channel],
      );
      const isInside = isKept(x, y);
      if (isInside && differences.some((difference) => difference !== 0)) changed++;
      if (!isInside) {
        for (const difference of differences) squares += difference ** 2;
        samples += 3;
      }
      for (const [step, isLast] of [
        [1, x === width - 1],
        [width, y === height - 1],
      ] as const) {
        if (isLast) continue;
        const isNextInside = step === 1 ? isKept(x + 1, y) : isKept(x, y + 1);
        if (isInside && isNextInside) continue;
        const sums = isInside === isNextInside ? gradients : seam;
        const getGradient = ({ data }: { readonly data: ArrayLike<number> }) =>
          Math.abs(data[place + step] - data[place]);
        sums.wanted += getGradient(wanted);
        sums.found += getGradient(found);
      }
    }
  }
  return {
    psnr: 10 * Math.log10((255 ** 2 * samples) / squares),
    ssim: ringSimilarity(truth, result, kept),
    gradients: gradients.found / gradients.wanted,
    seam: seam.found / seam.wanted,
    changed,
  };
}

/** Returns the mean similarity of the four bands around what was kept. */
function ringSimilarity(truth: Raster8, result: Raster8, kept: PixelRegion): number {
  const { width, height } = truth;
  const bands: readonly PixelRegion[] = [
    { left: 0, top: 0, width, height: kept.top },
    { left: 0, top: kept.top + kept.height, width, height: height - kept.top - kept.height },
    { left: 0, top: 0, width: kept.left, height },
    { left: kept.left + kept.width, top: 0, width: width - kept.left - kept.width, height },
  ];
  const each = bands.map((band) =>
    structuralSimilarity(
      getLuma(extractRegion(truth, band) as Raster8),
      getLuma(extractRegion(result, band) as Raster8),
    ),
  );
  return each.reduce((sum, value) => sum + value, 0) / each.length;
}

async function listAvailableMethods(): Promise<Method[]> {
  const inference = openInference(readEnv());
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const engines: Method[] = [];
  for (const { id, card } of OUTPAINT_ENGINES) {
    if (card && (await inference.availability(card)) !== 'ready') continue;
    engines.push({
      name: id,
      async extend({ width, height, data }, region, size) {
        const png = await sharp(data, { raw: { width, height, channels: 4 } })
          .removeAlpha()
          .png()
          .toBuffer();
        const params = {
          expand_left: region.left,
          expand_top: region.top,
          expand_right: size.width - region.left - region.width,
          expand_bottom: size.height - region.top - region.height,
          engine: id,
          seed: SEED,
          enable_safety_checker: false,
        };
        const { files } = await imageOutpaint.execute(new Blob([new Uint8Array(png)]), params, runtime);
        return getRaster(sharp(await files[0]?.blob.arrayBuffer()));
      },
    });
  }
  return [
    { name: 'edge padding', extend: (...given) => padded('copy', ...given) },
    { name: 'mirror', extend: (...given) => padded('mirror', ...given) },
    { name: 'mean colour', extend: meanColour },
    ...engines,
  ];
}

type Extend = Method['extend'];

function padded(
  extendWith: 'copy' | 'mirror',
  ...[kept, region, size]: Parameters<Extend>
): Promise<Raster8> {
  const { width, height, data } = kept;
  return getRaster(
    sharp(data, { raw: { width, height, channels: 4 } }).extend({
      left: region.left,
      top: region.top,
      extendWith,
      right: size.width - region.left - width,
      bottom: size.height - region.top - height,
    }),
  );
}

async function meanColour(...[kept, region, size]: Parameters<Extend>): Promise<Raster8> {
  const { width, height, data } = kept;
  const { channels } = await sharp(data, { raw: { width, height, channels: 4 } }).stats();
  const [r = 0, g = 0, b = 0] = channels.map(({ mean }) => Math.round(mean));
  return getRaster(
    sharp(data, { raw: { width, height, channels: 4 } }).extend({
      left: region.left,
      top: region.top,
      background: { r, g, b },
      right: size.width - region.left - width,
      bottom: size.height - region.top - height,
    }),
  );
}

async function getRaster(image: Sharp): Promise<Raster8> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function keep({ width, height, data }: Raster8, path: string): Promise<void> {
  await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toFile(path);
}
