import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { FloatImage, Raster8 } from '../../../models/core/runtime/raster.ts';
import { SHARED } from '../../support/shared-folder.ts';

/** Photo with its true matte, where it has one. */
export interface JudgedPicture {
  readonly photo: string;
  readonly truth: string | null;
}

export interface JudgedSet {
  readonly name: string;
  readonly pictures: readonly JudgedPicture[];
}

const SUBJECTS = join(import.meta.dirname, '../../training/matte/subjects.json');

/**
 * Lists the images without any use in training: film frames with masks drawn by hand, composites of exact alpha, a
 * portrait, an animal (whose truth is weak), and the twenty ordinary images held out of the training data, to look
 * at.
 * @throws Error when the shared test data is missing
 */
export async function listJudgedSets(): Promise<JudgedSet[]> {
  const root = join(SHARED, 'data/background');
  if (!existsSync(root)) {
    throw new Error(
      `There is no folder ${root}. This suite measures on the shared test data: set DARKROOM_SHARED to its folder.`,
    );
  }
  const pair = (folder: string, photo: string, truth: string) => ({
    photo: join(root, folder, photo),
    truth: join(root, folder, truth),
  });
  const frames = (await readdir(join(root, 'davis2016/img'))).sort();
  const composites = (await readdir(join(root, 'composites_exact_alpha')))
    .filter((name) => /^comp\d+\.png$/.test(name))
    .sort();
  return [
    {
      name: 'davis2016',
      pictures: frames.map((name) => pair('davis2016', `img/${name}`, `gt/${name.replace('.jpg', '.png')}`)),
    },
    {
      name: 'exact alpha',
      pictures: composites.map((name) =>
        pair('composites_exact_alpha', name, name.replace('.png', '.alpha.png')),
      ),
    },
    {
      name: 'canvas human',
      pictures: [pair('canvas_human', 'example_image.png', 'example_ground_truth.png')],
    },
    { name: 'lemur (weak)', pictures: [pair('pymatting_lemur', 'lemur.png', 'lemur_alpha.png')] },
    { name: 'ordinary', pictures: await listOrdinaryPictures() },
  ];
}

async function listOrdinaryPictures(): Promise<JudgedPicture[]> {
  const { ordinary } = JSON.parse(await readFile(SUBJECTS, 'utf8')) as { ordinary: string[] };
  const train = join(SHARED, 'data/train');
  const folders = ['photos', ...(await readdir(join(train, 'matting'))).map((name) => `matting/${name}`)];
  return ordinary.flatMap((name) => {
    const found = folders.map((folder) => join(train, folder, `${name}.jpg`)).find(existsSync);
    return found ? [{ photo: found, truth: null }] : [];
  });
}

export async function readPhoto(path: string): Promise<Raster8> {
  const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** Reads a true matte at the size of its photo. */
export async function readTruth(path: string, { width, height }: Raster8): Promise<FloatImage> {
  const gray = await sharp(path)
    .removeAlpha()
    .toColourspace('b-w')
    .resize(width, height, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return { width, height, channels: 1, data: Float32Array.from(gray, (value) => value / 255) };
}
