import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { FloatImage, Raster8 } from '../../../models/core/runtime/raster.ts';
import {
  type JudgedPicture,
  type JudgedSet,
  listJudgedSets,
  readPhoto,
  readTruth,
} from './judged-pictures.ts';
import { listMatteMethods, type MatteMethod } from './matte-methods.ts';
import { FIGURES, type MatteFigures, matteFigures } from './matte-metrics.ts';

const CELL = 220;

/** Makes both leftovers and holes visible. */
const MAGENTA = [255, 0, 255] as const;

const COLUMNS: Readonly<Record<keyof MatteFigures, string>> = {
  iou: 'IoU',
  structure: 'S',
  boundary: 'boundary F',
  mae: 'MAE',
  mse: 'MSE',
  sad: 'SAD (1000)',
};

/**
 * Judges mattes against the truth, as a table.
 * @param sheets folder for sheets of cutouts to look at; null draws none
 */
export async function judgeRemoveBg(sheets: string | null): Promise<void> {
  const sets = await listJudgedSets();
  const directory = await mkdtemp(join(tmpdir(), 'bench-quality-'));
  if (sheets) await mkdir(sheets, { recursive: true });
  try {
    const methods = listMatteMethods(directory);
    console.log(`| set | pictures | method | ${FIGURES.map((name) => COLUMNS[name]).join(' | ')} |`);
    console.log(`|${' --- |'.repeat(3 + FIGURES.length)}`);
    for (const set of sets) await judgeSet(set, methods, sheets);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function judgeSet(set: JudgedSet, methods: readonly MatteMethod[], sheets: string | null) {
  const isJudged = set.pictures.some(({ truth }) => truth !== null);
  if (!isJudged && !sheets) return;
  const figures = new Map<string, MatteFigures[]>(methods.map(({ name }) => [name, []]));
  const columns: Buffer[] = [];
  for (const picture of set.pictures) columns.push(await judge(picture, methods, figures, sheets !== null));
  for (const [name, rows] of isJudged ? figures : []) {
    const means = FIGURES.map((figure) =>
      (rows.reduce((sum, row) => sum + row[figure], 0) / rows.length).toFixed(3),
    );
    console.log(`| ${set.name} | ${rows.length} | ${name} | ${means.join(' | ')} |`);
  }
  if (sheets) await writeSheet(join(sheets, `${set.name.replaceAll(/\W+/g, '-')}.png`), columns);
}

/**
 * Adds each method's figures to `figures`.
 * @returns a column of the sheet: photo, truth, each cutout
 */
async function judge(
  { photo: path, truth: truthPath }: JudgedPicture,
  methods: readonly MatteMethod[],
  figures: ReadonlyMap<string, MatteFigures[]>,
  isDrawn: boolean,
): Promise<Buffer> {
  const photo = await readPhoto(path);
  const truth = truthPath === null ? null : await readTruth(truthPath, photo);
  const shown: (FloatImage | null)[] = [null, truth];
  for (const { name, getMatte } of methods) {
    const matte = await getMatte(photo);
    if (truth) figures.get(name)?.push(matteFigures(matte, truth));
    if (isDrawn) shown.push(matte);
  }
  return isDrawn ? drawColumn(photo, shown) : Buffer.alloc(0);
}

/** Draws a photo's cutouts by several mattes in a column; without a matte the photo itself. A PNG. */
async function drawColumn(photo: Raster8, mattes: readonly (FloatImage | null)[]): Promise<Buffer> {
  const cells = await Promise.all(mattes.map((matte) => cell(photo, matte)));
  return sharp({ create: { width: CELL, height: CELL * cells.length, channels: 3, background: 'black' } })
    .composite(cells.map((input, at) => ({ input, left: 0, top: at * CELL })))
    .png()
    .toBuffer();
}

/** Writes columns side by side. */
async function writeSheet(path: string, columns: readonly Buffer[]): Promise<void> {
  const [first] = columns;
  if (!first) return;
  const { height } = await sharp(first).metadata();
  await sharp({ create: { width: CELL * columns.length, height, channels: 3, background: 'black' } })
    .composite(columns.map((input, at) => ({ input, left: at * CELL, top: 0 })))
    .png()
    .toFile(path);
}

function cell({ width, height, data }: Raster8, matte: FloatImage | null): Promise<Buffer> {
  const shown = new Uint8Array(width * height * 3);
  for (let place = 0; place < width * height; place++) {
    const opacity = matte ? matte.data[place] : 1;
    for (let channel = 0; channel < 3; channel++) {
      shown[place * 3 + channel] = Math.round(
        data[place * 4 + channel] * opacity + (MAGENTA[channel] as number) * (1 - opacity),
      );
    }
  }
  return sharp(shown, { raw: { width, height, channels: 3 } })
    .resize(CELL, CELL, { fit: 'contain', background: 'black' })
    .png()
    .toBuffer();
}
