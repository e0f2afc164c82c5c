// @module-tag long

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { NodeInference } from '../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { WeightStore } from '../../server/runtime/weight-store/index.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { decodeFirstFrame, psnr } from '../support/media/images.ts';
import { drawSubjectPicture } from '../support/media/subject-picture.ts';

const RECIPE = join(import.meta.dirname, '../../clients/examples/recipe.json');
/** Similarity of the files of both places, in dB. The sums of a model differ in their last digits. */
const ALIKE_DB = 40;

/** File of a result, as plain data that leaves the page. */
interface PageFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: readonly number[];
}

interface PageResult {
  readonly files: readonly PageFile[];
  readonly details: { readonly steps: Readonly<Record<string, object>> };
}

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page.stop());

async function runOnServer(input: Blob, recipe: unknown) {
  const weights = new WeightStore({ directory: '/nowhere', mirror: null, isOffline: true });
  const inference = new NodeInference({ weights, endpoints: new Map(), memoryBytesMax: 1_000_000_000 });
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  return await OPERATIONS.pipeline.execute(input, OPERATIONS.pipeline.params.parse(recipe), runtime);
}

async function runInTab(input: Blob, recipe: unknown): Promise<PageResult> {
  const path = await page.put(input);
  return await page.page.evaluate<PageResult>(`(async () => {
    const input = await (await fetch('${path}')).blob();
    const { files, details } = await run('pipeline', input, ${JSON.stringify(recipe)}, {});
    const list = files.map(async ({ name, mediaType, blob }) => ({
      name,
      mediaType,
      bytes: [...new Uint8Array(await blob.arrayBuffer())],
    }));
    return { files: await Promise.all(list), details };
  })()`);
}

test('the recipe of the documentation gives the same files and findings in a tab and on the server', async () => {
  const recipe: unknown = JSON.parse(await readFile(RECIPE, 'utf8'));
  const input = await drawSubjectPicture();
  const onServer = await runOnServer(input, recipe);
  const inTab = await runInTab(input, recipe);
  expect(inTab.files.map(({ name, mediaType }) => [name, mediaType])).toEqual(
    onServer.files.map(({ name, mediaType }) => [name, mediaType]),
  );
  expect(inTab.files.map(({ name }) => name)).toEqual(['shop.webp', 'thumb.avif']);
  for (const [at, { name, bytes }] of inTab.files.entries()) {
    const own = await decodeFirstFrame(new Blob([new Uint8Array(bytes)]));
    const theirs = await decodeFirstFrame(onServer.files[at]?.blob ?? new Blob([]));
    expect([own.width, own.height], name).toEqual([theirs.width, theirs.height]);
    expect(psnr(theirs, own), name).toBeGreaterThan(ALIKE_DB);
  }
  const { steps } = JSON.parse(JSON.stringify(onServer.details));
  const { flagged, categories } = steps.safe;
  expect(inTab.details.steps.safe).toMatchObject({ flagged, categories });
  const { original_size, subjects_detected, matte_quality } = steps.cut;
  expect(inTab.details.steps.cut).toMatchObject({ original_size, subjects_detected, matte_quality });
});
