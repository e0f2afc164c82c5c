// @module-tag long

import { openAsBlob } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { NodeInference } from '../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { WeightStore } from '../../server/runtime/weight-store/index.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';

interface Turn {
  readonly speaker: number;
  readonly start: number;
  readonly end: number;
}

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page.stop());

async function onServer(input: Blob, params: object): Promise<{ speakers: number; segments: Turn[] }> {
  const weights = new WeightStore({ directory: '/nowhere', mirror: null, isOffline: true });
  const inference = new NodeInference({ weights, endpoints: new Map(), memoryBytesMax: 1_000_000_000 });
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const { files } = await OPERATIONS['audio-diarize'].execute(input, params, runtime);
  return JSON.parse((await files[0]?.blob.text()) ?? '');
}

/** Length of a frame of the speech detector: rounding may move an edge by one. */
const FRAME_SECONDS = 0.032;

test('a prepared worker has opened all networks of the engine, and a run opens none', async () => {
  const weights = () => page.requests.flatMap(({ url }) => /[^/]+\.onnx$/.exec(url) ?? []);
  const before = weights().length;
  await page.page.evaluate(`prepareRun('audio-diarize')`);
  const prepared = ['overlap.onnx', 'silero-vad.onnx', 'speakers.onnx'];
  await expect.poll(() => weights().slice(before).toSorted()).toEqual(prepared);
  const input = await openAsBlob('public/samples/conversation.wav');
  await page.operate('audio-diarize', input, {});
  expect(weights().slice(before)).toHaveLength(prepared.length);
});

test.each([
  [{}, 3],
  [{ speaker_count: 2 }, 2],
])('%o gives the turns of the server', async (params, speakers) => {
  const input = await openAsBlob('public/samples/conversation.wav');
  const { bytes, ...outcome } = await page.operate('audio-diarize', input, params);
  expect(outcome).toMatchObject({ ok: true, engine: 'silero-speakers on wasm', warnings: [] });
  const here = JSON.parse(new TextDecoder().decode(bytes));
  const there = await onServer(input, params);
  expect([here.speakers, there.speakers]).toEqual([speakers, speakers]);
  const speakersOf = ({ segments }: { segments: Turn[] }) => segments.map(({ speaker }) => speaker);
  expect(speakersOf(here)).toEqual(speakersOf(there));
  const edges = ({ segments }: { segments: Turn[] }) => segments.flatMap(({ start, end }) => [start, end]);
  const off = edges(here).map((edge, at) => Math.abs(edge - (edges(there)[at] as number)));
  expect(Math.max(...off)).toBeLessThanOrEqual(FRAME_SECONDS + 0.001);
});
