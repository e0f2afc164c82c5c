import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setInterval } from 'node:timers/promises';
import sharp from 'sharp';
import { type LocalRun, type LocalRunner, openLocalRunner } from '../../server/ops/local-runner.ts';
import { listProcessTree, readProportionalBytes } from '../support/process-tree.ts';
import { SHARED } from '../support/shared-folder.ts';
import { cpuSecondsOfTree, megabytes, ratio, report, sum } from './measure.ts';

const PHOTOS = 'data/background/rembg_examples';
/** Size of a photo, as phones send it to a shop: 3 megapixels. */
const PHOTO = { width: 2048, height: 1536, fit: 'cover' } as const;
/** Runs at the same time: one for each of two cores. */
const RUNS = 2;
/** Photos of a block: the recipe and the single requests alternate, so that both meet the same load of the machine. */
const BLOCK = 10;
const SAMPLE_MS = 1_000;

const SHOP = { to_format: 'webp', width: 2000, height: 2000, fit: 'contain', background: '#fff' };
const THUMB = { to_format: 'avif', width: 400 };
const RECIPE = {
  steps: [
    { id: 'cut', operation: 'remove-bg', params: { subject: 'primary' } },
    { id: 'shop', operation: 'convert', from: 'cut', params: SHOP },
    { id: 'thumb', operation: 'convert', from: 'cut', params: THUMB },
  ],
};

/**
 * Runs photos through the recipe of a shop, and through the three single requests that it replaces, on this machine, in
 * child processes as jobs run. Prints the processor time, the time and the memory of both.
 * @param args the number of photos, 100 by default
 */
export async function benchRecipes([count = '100']: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-recipes-'));
  const runner = await openLocalRunner(RUNS);
  const recipe = createTally();
  const singles = createTally();
  try {
    const photos = await makePhotos(folder, Number(count));
    // The processes of all runs have their networks loaded.
    await runAll(photos.slice(0, RUNS), (photo) => runRecipe(runner, photo));
    for (let at = 0; at < photos.length; at += BLOCK) {
      const block = photos.slice(at, at + BLOCK);
      await recipe.measure(() => runAll(block, (photo) => runRecipe(runner, photo)));
      await singles.measure(() => runAll(block, (photo) => runSingles(runner, photo, folder)));
      const done = at + block.length;
      recipe.print(`recipe, ${done} photos`, done);
      singles.print(`three single requests, ${done} photos`, done);
      report('recipe next to single requests', {
        processor: ratio(recipe.cpuSeconds(), singles.cpuSeconds()),
        time: ratio(recipe.seconds(), singles.seconds()),
      });
    }
  } finally {
    runner.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes photos of the shared ones, each cut a little differently. @returns their paths */
async function makePhotos(folder: string, count: number): Promise<string[]> {
  const source = resolve(SHARED, PHOTOS);
  const names = (await readdir(source)).filter((name) => name.endsWith('.jpg'));
  await mkdir(join(folder, 'photos'));
  const paths: string[] = [];
  for (let at = 0; at < count; at++) {
    const image = sharp(join(source, names[at % names.length] ?? ''));
    const { width, height } = await image.metadata();
    const inset = Math.floor((Math.floor(at / names.length) * Math.min(width, height)) / 100);
    const part = { left: inset, top: inset, width: width - 2 * inset, height: height - 2 * inset };
    const path = join(folder, 'photos', `${at}.jpg`);
    await image.extract(part).resize(PHOTO).jpeg({ quality: 90 }).toFile(path);
    paths.push(path);
  }
  return paths;
}

async function runAll(photos: readonly string[], run: (photo: string) => Promise<void>): Promise<void> {
  const waiting = [...photos];
  const work = async () => {
    for (let photo = waiting.shift(); photo !== undefined; photo = waiting.shift()) await run(photo);
  };
  await Promise.all(Array.from({ length: RUNS }, work));
}

async function runRecipe(runner: LocalRunner, photo: string): Promise<void> {
  await runOne(runner, { operation: 'pipeline', params: RECIPE, input: photo });
}

/** Cuts a photo out, saves the cutout, and converts it twice. */
async function runSingles(runner: LocalRunner, photo: string, folder: string): Promise<void> {
  const cutout = join(folder, `${photo.split('/').at(-1)}.png`);
  await runOne(runner, { operation: 'remove-bg', params: { subject: 'primary' }, input: photo }, cutout);
  for (const params of [SHOP, THUMB]) {
    await runOne(runner, { operation: 'media-convert-image', params, input: cutout });
  }
}

async function runOne(
  runner: LocalRunner,
  run: Pick<LocalRun, 'operation' | 'params' | 'input'>,
  saveTo?: string,
): Promise<void> {
  const { signal } = new AbortController();
  await runner.run({ ...run, signal, onProgress() {} }, async ({ files: [file] }) => {
    if (saveTo !== undefined && file) await copyFile(file.path, saveTo);
  });
}

/** Sum of the measured blocks of one way. */
function createTally() {
  const seconds: number[] = [];
  const cpuSeconds: number[] = [];
  let peakBytes = 0;
  return {
    async measure(work: () => Promise<void>): Promise<void> {
      const stop = new AbortController();
      const watching = watchMemory(stop.signal, (bytes) => {
        peakBytes = Math.max(peakBytes, bytes);
      });
      const [cpuBefore, startedAtMs] = [await readRunSeconds(), performance.now()];
      await work();
      seconds.push((performance.now() - startedAtMs) / 1000);
      cpuSeconds.push((await readRunSeconds()) - cpuBefore);
      stop.abort();
      await watching;
    },
    seconds: () => sum(seconds),
    cpuSeconds: () => sum(cpuSeconds),
    print(name: string, photos: number): void {
      report(name, {
        processor: `${sum(cpuSeconds).toFixed(1)} s, ${(sum(cpuSeconds) / photos).toFixed(2)} a photo`,
        time: `${sum(seconds).toFixed(1)} s`,
        'memory at most': megabytes(peakBytes),
      });
    },
  };
}

/** Returns the processor seconds so far of all child processes, without this one. */
async function readRunSeconds(): Promise<number> {
  const children = (await listProcessTree(process.pid)).filter(({ parent }) => parent === process.pid);
  return sum(await Promise.all(children.map(({ pid }) => cpuSecondsOfTree(pid))));
}

/** Reports the memory of all runs together, again and again. */
async function watchMemory(signal: AbortSignal, onSample: (bytes: number) => void): Promise<void> {
  try {
    for await (const _ of setInterval(SAMPLE_MS, undefined, { signal })) {
      const children = (await listProcessTree(process.pid)).filter(({ pid }) => pid !== process.pid);
      onSample(sum(await Promise.all(children.map(({ pid }) => readProportionalBytes(pid)))));
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
