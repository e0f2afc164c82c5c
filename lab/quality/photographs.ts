import { readdir } from 'node:fs/promises';
import { basename, join, parse, resolve } from 'node:path';
import sharp from 'sharp';
import type { Raster8 } from '../../models/core/runtime/raster.ts';
import { SHARED } from '../support/shared-folder.ts';

/**
 * Photographs of the shared data, with the reduction of each folder, which hides JPEG artefacts. None is mostly
 * black: there the rounding of a few levels decides the SSIM.
 */
const FOLDERS = [
  {
    path: 'data/superres/kodak',
    names: ['kodim01', 'kodim02', 'kodim04', 'kodim07', 'kodim08', 'kodim09'],
    scale: 1,
  },
  {
    path: 'data/train/photos',
    names: [
      ...['budgie_san-francisco-skyline', 'db_backpack_04', 'el_brown-architecture_70244'],
      ...['db_dog8_03', 'budgie_motherboard-circuits', 'el_scott-riley_25282'],
    ],
    scale: 0.6,
  },
];

/** Opaque photograph in sRGB. */
export interface Photograph {
  readonly name: string;
  readonly raster: Raster8;
}

/** Two disjoint sets of photographs: tables are made from the first and checked with the second. */
export interface PhotographSets {
  readonly calibration: readonly Photograph[];
  readonly verification: readonly Photograph[];
}

/**
 * Reads photographs, alternating between the sets.
 * @param folders read completely, in place of the shared data
 * @throws Error when there are fewer than two
 */
export async function readPhotographs(folders: readonly string[]): Promise<PhotographSets> {
  const chosen =
    folders.length > 0
      ? folders.map((path) => ({ path: resolve(path), names: null, scale: 1 }))
      : FOLDERS.map((folder) => ({ ...folder, path: resolve(SHARED, folder.path) }));
  const files = (await Promise.all(chosen.map(getFiles))).flat();
  const all = await Promise.all(files.map(readPhotograph));
  if (all.length < 2) throw new Error('There are fewer than two photographs. Name a folder of them.');
  return {
    calibration: all.filter((_, index) => index % 2 === 0),
    verification: all.filter((_, index) => index % 2 === 1),
  };
}

interface Folder {
  readonly path: string;
  /** Names without extensions; null for all files. */
  readonly names: readonly string[] | null;
  readonly scale: number;
}

async function getFiles({ path, names, scale }: Folder): Promise<{ file: string; scale: number }[]> {
  const found = await readdir(path).catch((cause) => {
    throw new Error(`${path}: cannot be read. Set DARKROOM_SHARED or name a folder of photographs.`, {
      cause,
    });
  });
  const isChosen = (file: string) => names === null || names.includes(parse(file).name);
  return found
    .filter((file) => /\.(png|jpe?g|tiff?)$/i.test(file) && isChosen(file))
    .sort()
    .map((file) => ({ file: join(path, file), scale }));
}

async function readPhotograph({ file, scale }: { file: string; scale: number }): Promise<Photograph> {
  const photo = sharp(file).rotate().toColourspace('srgb').removeAlpha();
  const { width } = await sharp(file).metadata();
  const { data, info } = await photo
    .resize(scale === 1 ? {} : { width: Math.round(width * scale) })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    name: basename(file),
    raster: { width: info.width, height: info.height, data: new Uint8Array(data) },
  };
}
