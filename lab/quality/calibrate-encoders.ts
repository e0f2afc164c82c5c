import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Raster8 } from '../../models/core/runtime/raster.ts';
import {
  QUALITY_NUMBERS,
  type ScaledEncoder,
  SETTINGS,
} from '../../models/media/image/codec/quality-tables.ts';
import { openWorkerPage, type WorkerPage } from '../support/worker-page.ts';
import { deriveTable, type Measured } from './derive-table.ts';
import { type Photograph, readPhotographs } from './photographs.ts';
import { decodeRaster, type EncodeAt, SERVER_ENCODERS } from './server-encoders.ts';
import { compareColours } from './ssim.ts';

const TABLES = resolve(import.meta.dirname, '../../models/media/image/codec/quality-tables.ts');

/** Measured settings, from the worst to the best; values between are interpolated. */
const QUALITIES = [1, 10, 20, 30, 40, 50, 60, 70, 80, 88, 94, 98];
const RATE_FACTORS = [51, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8];

/**
 * By format, the part of the JPEG's loss (1 - SSIM) that the format must stay below; negative allows more loss. WebP
 * removes smooth texture, which some photographs have more of than those measured here.
 */
const MARGINS = { webp: 0.09, avif: -0.02, x265: 0.01 };

interface Scale {
  readonly settings: readonly number[];
  readonly best: number;
  readonly step: number;
  readonly margin: number;
}

const QUALITY_SCALE = { settings: QUALITIES, best: 100, step: 1 };
const RATE_FACTOR_SCALE = { settings: RATE_FACTORS, best: 0, step: 0.1 };

function getScale(name: ScaledEncoder): Scale {
  if (name.endsWith('x265')) return { ...RATE_FACTOR_SCALE, margin: MARGINS.x265 };
  if (name.endsWith('webp')) return { ...QUALITY_SCALE, margin: MARGINS.webp };
  return { ...QUALITY_SCALE, margin: MARGINS.avif };
}

/**
 * `npm run calibrate -- [--write] [--only ENCODER,...] [FOLDER...]`: measures the encoders, and derives their tables.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean' }, only: { type: 'string' } },
  });
  const { calibration } = await readPhotographs(positionals);
  const names = (Object.keys(SETTINGS) as ScaledEncoder[]).filter(
    (name) => !values.only || values.only.split(',').includes(name),
  );
  const jpeg = await measure(SERVER_ENCODERS.jpeg as EncodeAt, QUALITY_NUMBERS.slice(1, -1), calibration);
  print('jpeg', jpeg);
  const tables: Record<string, readonly number[]> = { ...SETTINGS };
  const page = await openWorkerPage();
  try {
    for (const name of names) {
      const scale = getScale(name);
      const startedAtMs = performance.now();
      const measured = await measure(getEncoder(name, page), scale.settings, calibration);
      print(`${name}, ${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`, measured);
      tables[name] = deriveTable(jpeg, measured, scale).map(([, setting]) => setting);
      console.log(JSON.stringify(tables[name]));
    }
  } finally {
    await page.stop();
  }
  if (values.write) await writeTables(tables);
}

function getEncoder(name: ScaledEncoder, { page, put }: WorkerPage): EncodeAt {
  const onServer = SERVER_ENCODERS[name];
  if (onServer) return onServer;
  const paths = new Map<Raster8, string>();
  return async (raster, setting) => {
    const path = paths.get(raster) ?? (await put(new Blob([raster.data])));
    paths.set(raster, path);
    const { width, height } = raster;
    const given = JSON.stringify([path, { width, height }, setting]);
    return new Blob([Buffer.from(await page.evaluate<string>(`encodeAt(...${given})`), 'base64')]);
  };
}

/** Returns means over the photographs. */
async function measure(
  encode: EncodeAt,
  settings: readonly number[],
  photographs: readonly Photograph[],
): Promise<Measured[]> {
  const rows: Measured[] = [];
  for (const setting of settings) {
    const similarity = { luma: 0, colour: 0 };
    let bytes = 0;
    for (const { raster } of photographs) {
      const file = await encode(raster, setting);
      bytes += file.size / photographs.length;
      const { luma, colour } = compareColours(raster, await decodeRaster(file));
      similarity.luma += luma / photographs.length;
      similarity.colour += colour / photographs.length;
    }
    rows.push({ setting, similarity, bytes });
  }
  return rows;
}

function print(title: string, rows: readonly Measured[]): void {
  console.log(title);
  for (const { setting, similarity, bytes } of rows) {
    const similarities = `${similarity.luma.toFixed(4)} ${similarity.colour.toFixed(4)}`;
    console.log(`  ${String(setting).padStart(5)} ${similarities} ${(bytes / 1000).toFixed(1)} kB`);
  }
}

/** Puts the settings in place of those in the source. */
async function writeTables(tables: Readonly<Record<string, readonly number[]>>): Promise<void> {
  const rows = Object.entries(tables).map(([name, settings]) => `  '${name}': [${settings.join(', ')}],\n`);
  const source = await readFile(TABLES, 'utf8');
  await writeFile(TABLES, source.replace(/(?<=\nexport const SETTINGS = \{\n).*?(?=\};\n)/s, rows.join('')));
}

main().catch((cause: unknown) => {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
});
