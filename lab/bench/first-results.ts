import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { OPERATIONS, type OperationId } from '../../models/registry.ts';
import { readEnv } from '../../server/base/env.ts';
import { openInference } from '../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { launchChromiumProfile } from '../support/chromium.ts';
import type { PageOutcome } from '../support/page/outcome.ts';
import { openWorkerPage, type WorkerPage } from '../support/worker-page.ts';
import { cpuSecondsOfTree, ratio, report, timeMs } from './measure.ts';
import { phonePhotoHeic } from './pictures.ts';

interface FirstResult {
  readonly name: string;
  readonly operationId: OperationId;
  readonly params: object;
  /** Most seconds on two quiet cores without a GPU: in a fresh tab, and of the second file. */
  readonly secondsMax?: { readonly fresh: number; readonly second: number };
  read(): Promise<Uint8Array>;
}

const SAMPLES = resolve(import.meta.dirname, '../../public/samples');
/** A browser writes compiled code to its profile some seconds after its last use. */
const SETTLED_MS = 6_000;

const CASES: readonly FirstResult[] = [
  {
    name: 'cutout of 1 MP',
    operationId: 'remove-bg',
    params: {},
    secondsMax: { fresh: 3, second: 1.6 },
    read: () => photo(1224, 816),
  },
  {
    name: 'cutout of 12 MP',
    operationId: 'remove-bg',
    params: {},
    secondsMax: { fresh: 4, second: 2.5 },
    read: () => photo(4242, 2828),
  },
  {
    name: '12 MP HEIC -> jpg',
    operationId: 'media-convert-image',
    params: { to_format: 'jpg' },
    read: phonePhotoHeic,
  },
  {
    name: '12 MP jpg -> HEIC',
    operationId: 'media-convert-image',
    params: { to_format: 'heic' },
    read: () => photo(4242, 2828),
  },
  {
    name: '12 MP jpg -> AVIF',
    operationId: 'media-convert-image',
    params: { to_format: 'avif' },
    read: () => photo(4242, 2828),
  },
  {
    name: '1 MP x2',
    operationId: 'upscale',
    params: { scale: 2 },
    secondsMax: { fresh: 9, second: 8 },
    read: () => photo(1224, 816),
  },
  { name: 'who spoke', operationId: 'audio-diarize', params: {}, read: () => sample('conversation.wav') },
  { name: 'stems', operationId: 'audio-separate-stems', params: {}, read: () => sample('song.mp3') },
];

/**
 * Prints the seconds until a result: in a fresh tab on the second visit, in one whose worker was prepared while the
 * visitor looked for the file, of the second file in a tab, and of a warm run on the server, for the same file; compared with
 * them the processor time of the fresh tab.
 * @param names of the cases to measure, or parts of them; all without any
 */
export async function benchFirstResults(names: readonly string[] = []): Promise<void> {
  const inference = openInference(readEnv());
  const isWanted = ({ name }: FirstResult) => names.length === 0 || names.some((part) => name.includes(part));
  for (const one of CASES.filter(isWanted)) {
    const file = new Blob([new Uint8Array(await one.read())]);
    const tab = await measureTab(one, file);
    const { signal } = new AbortController();
    const onServer = async () => {
      await OPERATIONS[one.operationId].execute(file, one.params, createNodeRuntime({ signal, inference }));
    };
    await onServer();
    const serverMs = await timeMs(onServer);
    report(`first result, ${one.name}`, {
      'fresh tab': seconds(tab.freshMs, one.secondsMax?.fresh),
      prepared: seconds(tab.preparedMs),
      'second file': seconds(tab.secondMs, one.secondsMax?.second),
      server: seconds(serverMs),
      'to the server': [tab.freshMs, tab.preparedMs, tab.secondMs]
        .map((each) => ratio(each, serverMs))
        .join(', '),
      'CPU time of the fresh tab': `${tab.freshCpuSeconds.toFixed(1)} s`,
    });
  }
}

interface TabFigures {
  readonly freshMs: number;
  readonly freshCpuSeconds: number;
  readonly preparedMs: number;
  readonly secondMs: number;
}

async function measureTab(one: FirstResult, file: Blob): Promise<TabFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-profile-'));
  const tab = await openWorkerPage({ profile: await launchChromiumProfile(folder) });
  try {
    const path = await tab.put(file);
    await runIn(tab.page, one, path);
    await setTimeout(SETTLED_MS);
    const page = await openTab(tab);
    const cpuBefore = await cpuSecondsOfTree(process.pid);
    const freshMs = await runIn(page, one, path);
    const freshCpuSeconds = (await cpuSecondsOfTree(process.pid)) - cpuBefore;
    const secondMs = await runIn(page, one, path);
    const prepared = await openTab({ ...tab, page });
    await prepared.evaluate(`prepareRun('${one.operationId}')`);
    await setTimeout(SETTLED_MS);
    return { freshMs, freshCpuSeconds, secondMs, preparedMs: await runIn(prepared, one, path) };
  } finally {
    await tab.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens another tab in place of the first, whose process ends. */
async function openTab({ page, origin }: WorkerPage): Promise<Page> {
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`${origin}/index.html`);
  await next.waitForFunction('globalThis.operate !== undefined');
  return next;
}

/** Runs a case in a page. @returns milliseconds */
async function runIn(page: Page, { operationId, params }: FirstResult, path: string): Promise<number> {
  const given = [operationId, path, params].map((value) => JSON.stringify(value)).join(', ');
  const { outcome, tookMs } = await page.evaluate<{ outcome: PageOutcome; tookMs: number }>(`(async () => {
    const startedAtMs = performance.now();
    const outcome = await operate(${given});
    return { outcome: { ...outcome, base64: '' }, tookMs: performance.now() - startedAtMs };
  })()`);
  if (!outcome.ok) throw new Error(outcome.message);
  return tookMs;
}

/** Scales a sample to a size in pixels. */
async function photo(width: number, height: number): Promise<Uint8Array> {
  return sharp(await sample('otter.jpg'))
    .resize(width, height)
    .jpeg({ quality: 90 })
    .toBuffer();
}

const sample = (name: string): Promise<Uint8Array> => readFile(join(SAMPLES, name));
const seconds = (ms: number, max?: number): string =>
  `${(ms / 1000).toFixed(1)} s${max === undefined ? '' : ` (at most ${max})`}`;
