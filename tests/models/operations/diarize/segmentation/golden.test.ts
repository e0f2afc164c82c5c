// @module-tag long
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diarizationError, errorPercent } from '../../../../../models/acceptance/speakers.ts';
import type { Session } from '../../../../../models/core/runtime/inference.ts';
import type { Tensor } from '../../../../../models/core/runtime/tensor.ts';
import { feedChannels } from '../../../../../models/operations/diarize/feed-samples.ts';
import { clusterVoices } from '../../../../../models/operations/diarize/hub-engine.ts';
import { joinWindows } from '../../../../../models/operations/diarize/join-windows.ts';
import { segmentLocally } from '../../../../../models/operations/diarize/local-segmentation.ts';
import { ORDERS } from '../../../../../models/operations/diarize/measure-speakers.ts';
import { decodePowerset } from '../../../../../models/operations/diarize/segment.ts';
import { SegmentedWindows } from '../../../../../models/operations/diarize/segmented-windows.ts';
import { AUDIO_DIARIZE_WEIGHTS } from '../../../../../models/operations/diarize/weights.ts';
import { createNodeRuntime } from '../../../../../server/runtime/node-runtime.ts';
import { sharedData } from '../../../../support/media/shared-data.ts';
import { createGraphInference } from '../../../../support/models/graph-inference.ts';
import { readNpz } from '../../../../support/models/read-npz.ts';

/** pyannote's own segmentation and WeSpeaker's embeddings of a recording, in windows of 10 s every 1 s. */
const GOLDEN = sharedData('models/golden');
const NETWORK = sharedData('models/files/pyannote-segmentation-3.0.int8.onnx');
const RECORDING = sharedData('data/diarization/pyannote_sample');
const isMissing = [GOLDEN, NETWORK, RECORDING].some((each) => each.isMissing);

const CARD = AUDIO_DIARIZE_WEIGHTS['pyannote-segmentation-3.0-int8'];
const { signal } = new AbortController();
const [SECONDS, STEP, FRAMES, VOICES, LENGTH] = [30, 16_000, 589, 3, 256];

const read = (file: string, name: string) =>
  readNpz(join(GOLDEN.path, `02_pyannote_sample.${file}.npz`), name);

async function goldenActivities() {
  const { shape, values } = await read('segmentations', 'segmentations');
  expect(shape).toEqual([21, FRAMES, VOICES]);
  return Array.from({ length: 21 }, (_, window) => ({
    firstFrame: Math.round((window * STEP) / 270),
    speakers: Uint8Array.from({ length: FRAMES }, (_each, frame) => {
      const at = (window * FRAMES + frame) * VOICES;
      return values.slice(at, at + VOICES).reduce((bits, on, voice) => bits | (on > 0.5 ? 1 << voice : 0), 0);
    }),
  }));
}

async function readTruth() {
  const truth = (await readFile(join(RECORDING.path, 'sample.rttm'), 'utf8')).trim().split('\n');
  return truth.map((line) => {
    const [, , , start, seconds, , , speaker = ''] = line.split(' ');
    return { speaker, start: Number(start), end: Number(start) + Number(seconds) };
  });
}

/** Creates a session that responds by a function. */
function getSession(
  input: string,
  output: string,
  respond: (
    input: Tensor,
    call: number,
  ) => { readonly dims: readonly number[]; readonly data: Float32Array<ArrayBuffer> },
): Session {
  let calls = 0;
  return {
    inputs: [{ name: input, type: 'float32', dims: [] }],
    outputs: [{ name: output, type: 'float32', dims: [] }],
    async run(feeds) {
      const found = respond(feeds[input] as Tensor, calls);
      calls += 1;
      return { outputs: { [output]: { type: 'float32', ...found } }, provider: 'cpu', notices: [] };
    },
  };
}

/** Voices of each class, as bits. */
const CLASSES = [0, 1, 2, 4, 3, 5, 6];

/** Returns the scores of the classes that say who is heard. */
function getOnes(speakers: Uint8Array) {
  const data = new Float32Array(FRAMES * CLASSES.length);
  speakers.forEach((bits, frame) => {
    data[frame * CLASSES.length + CLASSES.indexOf(bits)] = 1;
  });
  return { dims: [1, FRAMES, CLASSES.length], data };
}

/**
 * What WeSpeaker is to get, by Kaldi's filter bank in another program (`spectrogram` of transformers 5.18): of some
 * voices the bands of the first frame, of frame 50 and of the last one, less their means.
 */
const BANDS = [0, 10, 25, 40, 60, 79];
const FEATS = [
  {
    window: 0,
    voice: 1,
    frames: 329,
    bands: [
      [-3.393, -4.911, -6.598, -4.542, -1.051, -0.73],
      [-4.559, -3.858, -4.256, -4.865, -1.145, -0.789],
      [1.961, 0.493, -1.433, 0.944, 0.349, -0.629],
    ],
  },
  {
    window: 5,
    voice: 2,
    frames: 208,
    bands: [
      [-6.209, -9.239, -5.5, -3.382, -2.162, -0.56],
      [-2.539, -1.997, -1.684, 0.681, -1.365, -0.057],
      [2.488, -0.387, 0.098, 1.246, 0.808, 0.814],
    ],
  },
  {
    window: 20,
    voice: 2,
    frames: 294,
    bands: [
      [-0.578, -0.729, -0.864, -4.779, -1.23, -1.307],
      [-3.061, -3.085, -2.787, -3.703, -0.919, 0.07],
      [-1.9, -3.218, -2.458, 0.947, -1.022, 0.552],
    ],
  },
];

describe('the outputs of pyannote and WeSpeaker', () => {
  it.skipIf(isMissing)(
    RECORDING.titled(GOLDEN.titled('become the clusters and turns that pyannote makes of them')),

    async () => {
      const activities = await goldenActivities();
      const [embeddings, clusters] = [
        await read('raw_embeddings', 'embeddings'),
        await read('clustering', 'hard_clusters'),
      ];
      expect(embeddings.shape).toEqual([21, VOICES, LENGTH]);
      const spoken = await readTruth();
      const voices = activities.flatMap(({ speakers }, window) =>
        [0, 1, 2].flatMap((speaker) =>
          speakers.some((bits) => bits & (1 << speaker)) ? [{ window, speaker }] : [],
        ),
      );
      const units = voices.map(({ window, speaker }) => {
        const at = (window * VOICES + speaker) * LENGTH;
        const own = embeddings.values.slice(at, at + LENGTH);
        return Float32Array.from(own, (value) => value / Math.hypot(...own));
      });
      const pyannotes = voices.map(({ window, speaker }) =>
        Number(clusters.values[window * VOICES + speaker]),
      );
      const segments = joinWindows({ activities, voices }, pyannotes, SECONDS, false);
      expect(errorPercent(diarizationError(spoken, segments, 0.25))).toBeLessThan(3);
      // By the rule of pyannote 3.1, which divides one of the two voices, as SciPy does.
      const found = clusterVoices(voices, units, undefined);
      expect(new Set(found).size).toBe(3);
      const isAlike = found.map((cluster, at) => {
        const own = pyannotes.filter((_, other) => found[other] === cluster);
        return own.filter((each) => each === pyannotes[at]).length > own.length / 2;
      });
      expect(isAlike.filter((each) => !each).length).toBeLessThanOrEqual(1);
    },
  );

  it.skipIf(isMissing)(
    RECORDING.titled(GOLDEN.titled('pass through our filter bank, and become the turns')),

    async () => {
      const activities = await goldenActivities();
      const { values } = await read('raw_embeddings', 'embeddings');
      const embedded = activities.flatMap(({ speakers }, window) =>
        [0, 1, 2]
          .filter((voice) => speakers.some((bits) => bits & (1 << voice)))
          .map((voice) => ({ window, voice })),
      );
      const feats: { readonly dims: readonly number[]; readonly data: Float32Array }[] = [];
      const segmentation = getSession('x', 'y', (_, call) =>
        getOnes(activities[call]?.speakers ?? new Uint8Array(FRAMES)),
      );
      const speakers = getSession('feats', 'embs', (input, call) => {
        feats.push({ dims: input.dims, data: input.data as Float32Array });
        const { window, voice } = embedded[call] ?? { window: 0, voice: 0 };
        const at = (window * VOICES + voice) * LENGTH;
        return { dims: [1, LENGTH], data: Float32Array.from(values.slice(at, at + LENGTH)) };
      });
      const { windows, voices, embeddings } = segmentLocally(segmentation, speakers, signal);
      const { audio } = createNodeRuntime({ signal });
      const file = await openAsBlob(join(RECORDING.path, 'sample.wav'));
      const decoded = await audio.decode(file, { sampleRate: 16_000, channelCount: 1, signal });
      for await (const [samples] of decoded.chunks()) if (samples) await windows.push(samples);
      await windows.finish();
      // Each voice of each window goes to WeSpeaker once, by the frames where it is alone.
      expect(voices).toEqual(embedded.map(({ window, voice: speaker }) => ({ window, speaker })));
      for (const { window, voice, frames, bands } of FEATS) {
        const found = feats[embedded.findIndex((each) => each.window === window && each.voice === voice)];
        expect(found?.dims).toEqual([1, frames, 80]);
        [0, 50, frames - 1].forEach((frame, row) => {
          BANDS.forEach((band, column) => {
            expect(found?.data[frame * 80 + band]).toBeCloseTo(bands[row]?.[column] ?? Number.NaN, 2);
          });
        });
      }
      const clusters = clusterVoices(voices, embeddings, 2);
      const { activities: found } = windows;
      const segments = joinWindows({ activities: found, voices }, clusters, SECONDS, true);
      expect(errorPercent(diarizationError(await readTruth(), segments, 0.25))).toBeLessThan(3);
    },
  );

  it.skipIf(isMissing)(
    NETWORK.titled('are like those of the small segmentation'),

    async () => {
      const graph = new Uint8Array(await readFile(NETWORK.path));
      const inference = createGraphInference({ [CARD.id]: graph });
      const runtime = createNodeRuntime({ signal, inference });
      const file = await openAsBlob(join(RECORDING.path, 'sample.wav'));
      const audio = await runtime.audio.decode(file, { sampleRate: 16_000, channelCount: 2, signal });
      const { activities } = await inference.use(CARD, { signal }, async (session) => {
        const windows = new SegmentedWindows(session, { card: CARD, signal, step: STEP });
        await feedChannels(audio, new Map([['mix', windows]]), () => {});
        return windows;
      });
      const golden = await goldenActivities();
      expect(activities.map(({ firstFrame }) => firstFrame)).toEqual(
        golden.map(({ firstFrame }) => firstFrame),
      );
      const shares = activities.map(({ speakers }, window) => {
        const other = golden[window]?.speakers ?? new Uint8Array(FRAMES);
        const alike = ORDERS.map((order) =>
          speakers.filter((bits, at) => reorder(bits, order) === other[at]),
        );
        return Math.max(...alike.map(({ length }) => length)) / FRAMES;
      });
      expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.88);
    },
  );
});

describe('the small segmentation', () => {
  it.skipIf(NETWORK.isMissing)(
    NETWORK.titled('tells the same on WebAssembly, as in a browser, for all its 8-bit recurrent layers'),

    async () => {
      const graph = new Uint8Array(await readFile(NETWORK.path));
      const inference = createGraphInference({ [CARD.id]: graph });
      const { audio } = createNodeRuntime({ signal, inference });
      const file = await openAsBlob(
        join(import.meta.dirname, '../../../../../public/acceptance/conversation.mp3'),
      );
      const decoded = await audio.decode(file, { sampleRate: 16_000, channelCount: 1, signal });
      const data = new Float32Array(160_000);
      let at = 0;
      for await (const [samples] of decoded.chunks()) {
        data.set(
          (samples as Float32Array).subarray(0, Math.max(0, data.length - at)),
          Math.min(at, data.length),
        );
        at += samples?.length ?? 0;
      }
      const feeds = { x: { type: 'float32', dims: [1, 1, 160_000], data } } as const;
      const there = await inference.use(CARD, { signal }, (session) => session.run(feeds, signal));
      const { env, InferenceSession, Tensor } = await import('onnxruntime-web/wasm');
      env.wasm.numThreads = 1;
      const session = await InferenceSession.create(graph, { executionProviders: ['wasm'] });
      const { y } = await session.run({ x: new Tensor('float32', data, [1, 1, 160_000]) });
      const heardThere = decodePowerset((there.outputs.y?.data ?? []) as Float32Array);
      const heardHere = decodePowerset(y?.data as Float32Array);
      expect(heardHere).toHaveLength(FRAMES);
      // Scores differ by up to 0.2, as kernels of 8 bits round differently: what counts is who is heard.
      const alike = heardHere.filter((bits, at) => bits === heardThere[at]);
      expect(alike.length / FRAMES).toBeGreaterThan(0.97);
      await session.release();
    },
  );
});

/** Gives the voices of a window other numbers. */
function reorder(bits: number, order: readonly number[]): number {
  return order.reduce((sum, to, from) => sum | (bits & (1 << from) ? 1 << to : 0), 0);
}
