import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { imageOutpaint } from '../../models/operations/extend/operation.ts';
import { readEnv } from '../../server/base/env.ts';
import { openInference } from '../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { openWorkerPage } from '../support/worker-page.ts';
import { cpuSecondsOfTree, median, report, timeMs } from './measure.ts';

const PHOTO = join(resolve(import.meta.dirname, '../..'), 'public/samples/kitten.jpg');
/** 1.02 megapixels. */
const SIZE = { width: 1168, height: 876 };
const MARGIN = 200;
const PARAMS = {
  expand_left: MARGIN,
  expand_right: MARGIN,
  expand_top: MARGIN,
  expand_bottom: MARGIN,
  seed: 1,
  engine: 'darkroom-patches',
};
const ROUNDS = 3;
const SECONDS_MAX = { server: 10, tab: 20 };

/**
 * Measures how long the bundled engine takes to add 200 pixels on each side of a photograph of 1 megapixel, with the
 * safety checker: in this process, and in a browser tab. The first round, which loads models, does not count.
 */
export async function benchOutpaint(): Promise<void> {
  const photo = new Blob([
    new Uint8Array(
      await sharp(await readFile(PHOTO))
        .resize(SIZE)
        .png()
        .toBuffer(),
    ),
  ]);
  const inference = openInference(readEnv());
  const { signal } = new AbortController();
  const cpuBefore = await cpuSecondsOfTree(process.pid);
  const onServer = await measure(async () => {
    await imageOutpaint.execute(photo, PARAMS, createNodeRuntime({ signal, inference }));
  });
  const cpuSeconds = ((await cpuSecondsOfTree(process.pid)) - cpuBefore) / (ROUNDS + 1);
  printFigures('extend 1 MP by 200 px a side, server', onServer, SECONDS_MAX.server, {
    'CPU time of a round': `${cpuSeconds.toFixed(1)} s`,
  });
  const page = await openWorkerPage();
  try {
    const inTab = await measure(async () => {
      const outcome = await page.operate('image-outpaint', photo, PARAMS);
      if (!outcome.ok) throw new Error(`the tab failed: ${JSON.stringify(outcome)}`);
    });
    printFigures('extend 1 MP by 200 px a side, tab', inTab, SECONDS_MAX.tab);
  } finally {
    await page.stop();
  }
}

async function measure(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const tookMs = await timeMs(work);
    if (round > 0) times.push(tookMs / 1000);
  }
  return times;
}

function printFigures(
  name: string,
  seconds: readonly number[],
  max: number,
  also: Record<string, string> = {},
): void {
  report(name, { median: `${median(seconds).toFixed(1)} s (at most ${max} s)`, ...also });
}
