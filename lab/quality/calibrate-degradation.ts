/**
 * Prints the measured degradation of held-out training photographs, clean and degraded: lowest, median and highest. The
 * thresholds of `models/operations/upscale/upscaled-input.ts` stand between them.
 *
 *     npx tsx lab/quality/calibrate-degradation.ts
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Degradation, measureDegradation } from '../../models/operations/upscale/measure-degradation.ts';
import { SHARED } from '../support/shared-folder.ts';

/** Every 20th photograph is kept from training. */
const HELD_OUT_EVERY = 20;
/** Reductions that hide the traces of a photograph's own compression. */
const REDUCTIONS = [0.6, 0.3];
const SIDE = 320;
const QUALITIES = [30, 40, 50, 60, 70, 80, 85, 90, 95];
const DEVIATIONS = [2, 4, 6, 8, 10];
const RAW = { raw: { width: SIDE, height: SIDE, channels: 3 } } as const;

type Variant = readonly [name: string, degrade: (image: Uint8Array) => Promise<Uint8Array>];

const VARIANTS: readonly Variant[] = [
  ['clean', async (image) => image],
  ...QUALITIES.map((quality): Variant => [`JPEG ${quality}`, (image) => compressed(image, quality)]),
  ...DEVIATIONS.map((deviation): Variant => [`noise ${deviation}`, async (image) => noisy(image, deviation)]),
];

const found = new Map<string, Degradation[]>();
for await (const image of heldOutCrops()) {
  for (const [name, degrade] of VARIANTS) {
    const rgba = await sharp(await degrade(image), RAW)
      .ensureAlpha()
      .raw()
      .toBuffer();
    const measured = measureDegradation({ width: SIDE, height: SIDE, data: new Uint8Array(rgba) });
    found.set(name, [...(found.get(name) ?? []), measured]);
  }
}
console.log('| input | images | blocking | grain |\n| --- | --- | --- | --- |');
for (const [name, all] of found) {
  const [blocking, grain] = [all.map((each) => each.blocking), all.map((each) => each.grain)].map(describe);
  console.log(`| ${name} | ${all.length} | ${blocking} | ${grain} |`);
}

async function* heldOutCrops(): AsyncGenerator<Uint8Array> {
  const folder = join(SHARED, 'data/train/photos');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort();
  for (const name of names.filter((_, at) => at % HELD_OUT_EVERY === 0)) {
    const { width } = await sharp(join(folder, name)).metadata();
    for (const reduction of REDUCTIONS) {
      const reduced = await sharp(join(folder, name))
        .resize(Math.round(width * reduction))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      if (reduced.info.width < SIDE || reduced.info.height < SIDE) continue;
      const { width: columns, height: rows } = reduced.info;
      yield await sharp(reduced.data, { raw: { width: columns, height: rows, channels: 3 } })
        .extract({ left: 0, top: 0, width: SIDE, height: SIDE })
        .raw()
        .toBuffer();
    }
  }
}

async function compressed(image: Uint8Array, quality: number): Promise<Uint8Array> {
  return sharp(await sharp(image, RAW).jpeg({ quality }).toBuffer())
    .raw()
    .toBuffer();
}

/** Adds Gaussian noise (Box and Muller), the same on each run. */
function noisy(image: Uint8Array, deviation: number): Uint8Array {
  let state = 1;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return Uint8ClampedArray.from(image, (sample) => sample + deviation * normal()) as unknown as Uint8Array;
}

function describe(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return [0, Math.floor(sorted.length / 2), sorted.length - 1].map((at) => sorted[at].toFixed(2)).join(' / ');
}
