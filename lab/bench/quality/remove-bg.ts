import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import {
  type JudgedPicture,
  type JudgedSet,
  listJudgedSets,
  readPhoto,
  readTruth,
} from './judged-pictures.ts';
import { listMatteMethods, type MatteMethod } from './matte-methods.ts';
import { FIGURES, type MatteFigures, matteFigures } from './matte-metrics.ts';
import { drawColumn, writeSheet } from './sheet.ts';

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
