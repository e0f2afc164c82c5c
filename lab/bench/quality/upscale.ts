import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import { upscale } from '../../../models/operations/upscale/operation.ts';
import { UPSCALERS } from '../../../models/operations/upscale/upscalers.ts';
import { readEnv } from '../../../server/base/env.ts';
import { openInference } from '../../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { type Luma, structuralSimilarity } from '../../quality/ssim.ts';
import { SHARED } from '../../support/shared-folder.ts';
import { imresize, type ResizeKernel } from './imresize.ts';
import { readPhoto } from './judged-pictures.ts';

const SETS = ['Set5', 'Set14', 'kodak'];
const SCALES = [2, 4] as const;

interface Method {
  readonly name: string;
  /** Size of its weights, in bytes. */
  readonly bytes: number;
  enlarge(image: Raster8, scale: 2 | 4): Promise<Raster8>;
}

/** Sums over a set. */
interface Tally {
  psnr: number;
  ssim: number;
  megapixels: number;
  seconds: number;
}

/**
 * Judges every available engine on images reduced bicubically: PSNR and SSIM of luma (BT.601, 16 to 235) without a
 * border of `scale` pixels, as a table. Megapixels are those of the input.
 * @param sheets folder for the enlarged images, to look at; null keeps none
 * @throws Error when the shared test data is missing
 */
export async function judgeUpscale(sheets: string | null): Promise<void> {
  const root = join(SHARED, 'data/superres');
  if (!existsSync(root))
    throw new Error(`There is no folder ${root}: set DARKROOM_SHARED to that of the test data.`);
  if (sheets) await mkdir(sheets, { recursive: true });
  const methods = await listAvailableMethods();
  console.log('| set | images | scale | method | bytes | PSNR | SSIM | MP/s |');
  console.log(`|${' --- |'.repeat(8)}`);
  for (const set of SETS) {
    const names = (await readdir(join(root, set))).filter((name) => name.endsWith('.png')).sort();
    for (const scale of SCALES) {
      for (const method of methods) {
        const tally: Tally = { psnr: 0, ssim: 0, megapixels: 0, seconds: 0 };
        for (const name of names) {
          const result = await judge(await readPhoto(join(root, set, name)), scale, method, tally);
          if (sheets)
            await keep(
              result,
              join(sheets, `${set}-${name.replace('.png', '')}-x${scale}-${method.name}.png`),
            );
        }
        const mean = (sum: number, digits: number) => (sum / names.length).toFixed(digits);
        const figures = [method.bytes.toLocaleString('en'), mean(tally.psnr, 2), mean(tally.ssim, 4)];
        const speed = (tally.megapixels / tally.seconds).toFixed(2);
        console.log(`| ${[set, names.length, scale, method.name, ...figures, speed].join(' | ')} |`);
      }
    }
  }
}

async function judge(image: Raster8, scale: 2 | 4, method: Method, tally: Tally): Promise<Raster8> {
  const truth = cropped(image, scale);
  const small = imresize(truth, 1 / scale, 'bicubic');
  const startedAtMs = performance.now();
  const result = await method.enlarge(small, scale);
  tally.seconds += (performance.now() - startedAtMs) / 1000;
  tally.megapixels += (small.width * small.height) / 1e6;
  const [wanted, found] = [innerLuma(truth, scale), innerLuma(result, scale)];
  tally.psnr += psnr(wanted, found);
  tally.ssim += structuralSimilarity(wanted, found);
  return result;
}

async function listAvailableMethods(): Promise<Method[]> {
  const inference = openInference(readEnv());
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const kernels = (['bicubic', 'lanczos'] as const).map((kernel: ResizeKernel) => ({
    name: kernel,
    bytes: 0,
    enlarge: async (image: Raster8, scale: number) => imresize(image, scale, kernel),
  }));
  const engines: Method[] = [];
  for (const { id, networks } of UPSCALERS) {
    const states = await Promise.all(networks.map(({ card }) => inference.availability(card)));
    if (states.some((state) => state !== 'ready')) continue;
    engines.push({
      name: id,
      bytes: networks.reduce((sum, { card }) => sum + (card.bytes ?? 0), 0),
      async enlarge({ width, height, data }, scale) {
        const png = await sharp(data, { raw: { width, height, channels: 4 } })
          .removeAlpha()
          .png({ compressionLevel: 1 })
          .toBuffer();
        const { files } = await upscale.execute(
          new Blob([new Uint8Array(png)]),
          { model: id, scale },
          runtime,
        );
        const result = sharp(await files[0]?.blob.arrayBuffer())
          .ensureAlpha()
          .raw();
        const { data: samples, info } = await result.toBuffer({ resolveWithObject: true });
        return { width: info.width, height: info.height, data: new Uint8Array(samples) };
      },
    });
  }
  return [...kernels, ...engines];
}

/** Crops an image to whole multiples of a factor. */
function cropped({ width, height, data }: Raster8, factor: number): Raster8 {
  const [wide, tall] = [width - (width % factor), height - (height % factor)];
  const kept = new Uint8Array(wide * tall * 4);
  for (let y = 0; y < tall; y++) kept.set(data.subarray(y * width * 4, (y * width + wide) * 4), y * wide * 4);
  return { width: wide, height: tall, data: kept };
}

function innerLuma({ width, height, data }: Raster8, border: number): Luma {
  const inner = { width: width - 2 * border, height: height - 2 * border };
  const luma = new Float32Array(inner.width * inner.height);
  for (let y = 0, to = 0; y < inner.height; y++) {
    for (let x = 0; x < inner.width; x++, to++) {
      const at = ((y + border) * width + x + border) * 4;
      const [red, green, blue] = data.subarray(at, at + 3) as unknown as [number, number, number];
      luma[to] = 16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255;
    }
  }
  return { ...inner, data: luma };
}

/** Computes the peak signal-to-noise ratio, in dB. */
function psnr({ data: one }: Luma, { data: other }: Luma): number {
  const squares = one.reduce((sum, sample, at) => sum + (sample - other[at]) ** 2, 0);
  return 10 * Math.log10(255 ** 2 / (squares / one.length));
}

async function keep({ width, height, data }: Raster8, path: string): Promise<void> {
  await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toFile(path);
}
