/**
 * Judges an export on held-out mixtures through the product's masks and filter: the mean signal-to-distortion ratio (SDR) of
 * each stem in dB, next to that of the mixture as the estimate.
 * Usage: npx tsx lab/training/stems/judge.ts STEMS.onnx HELD...   HELD: folders that stems.held wrote
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type Sound, signalToDistortion } from '../../../models/acceptance/stems.ts';
import { joinSamples } from '../../../models/core/runtime/audio-codec.ts';
import type { Session } from '../../../models/core/runtime/inference.ts';
import { maskedStems } from '../../../models/operations/stems/masked-stems.ts';
import { NetworkMasker } from '../../../models/operations/stems/network-masker.ts';

const STEMS = ['vocals', 'drums', 'bass', 'other'];
const RATE = 44_100;
/** Share of the mixture's power below which a stem is silent. */
const SILENCE = 1e-3;
const [weights, ...folders] = process.argv.slice(2);
const { signal } = new AbortController();
const options = { intraOpNumThreads: 1, interOpNumThreads: 1 } as const;
const network = await InferenceSession.create(readFileSync(weights as string), options);

const session = {
  run: async ({ powers }: { powers: { data: Float32Array; dims: number[] } }) => {
    const { masks } = await network.run({ powers: new Tensor('float32', powers.data, powers.dims) });
    return {
      outputs: { masks: { type: 'float32', dims: masks?.dims, data: masks?.data } },
      provider: 'cpu',
      notices: [],
    };
  },
} as unknown as Session;

for (const folder of folders) {
  const scores = new Map<string, [number, number][]>();
  for (const name of readdirSync(folder).sort()) {
    const found = await separate(join(folder, name));
    console.log(
      name,
      JSON.stringify(Object.fromEntries(found.map(([stem, ours]) => [stem, Number(ours.toFixed(2))]))),
    );
    const kind = name.split('-')[0] as string;
    for (const [stem, ours, mixed] of found)
      for (const key of [`${kind} ${stem}`, `${kind} mean`, `all ${stem}`, 'all mean'])
        scores.set(key, [...(scores.get(key) ?? []), [ours, mixed]]);
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  for (const [key, found] of [...scores].sort(([one], [other]) => one.localeCompare(other)))
    console.log(
      folder,
      key,
      found.length,
      mean(found.map(([ours]) => ours)).toFixed(2),
      mean(found.map(([, mixed]) => mixed)).toFixed(2),
    );
}

/** Returns the ratios of the stems that sound, and of the mixture as their estimate. */
async function separate(folder: string): Promise<[string, number, number][]> {
  const mixture = read(join(folder, 'mixture.flac'));
  const audio = {
    async *chunks() {
      yield mixture;
    },
  } as unknown as Parameters<typeof maskedStems>[0];
  const parts: Float32Array<ArrayBuffer>[][][] = STEMS.map(() => []);
  for await (const chunk of maskedStems(audio, new NetworkMasker(session, signal), 4, signal))
    chunk.stems.forEach((samples, at) => {
      parts[at]?.push(samples.map((one) => Float32Array.from(one)));
    });
  return STEMS.flatMap((stem, at) => {
    const path = join(folder, `${stem}.flac`);
    if (!existsSync(path)) return [];
    const truth = read(path);
    if (getPower(truth) < SILENCE * getPower(mixture)) return [];
    const estimate = [0, 1].map((channel) => joinSamples(parts[at]?.map((part) => part[channel]) ?? []));
    return [[stem, signalToDistortion(truth, estimate), signalToDistortion(truth, mixture)]];
  });
}

function getPower(sound: Sound): number {
  return sound.reduce((sum, samples) => samples.reduce((power, value) => power + value * value, sum), 0);
}

function read(path: string): Float32Array<ArrayBuffer>[] {
  const raw = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-ac', '2', '-ar', `${RATE}`, '-f', 'f32le', '-'],
    {
      maxBuffer: 2 ** 28,
    },
  );
  const all = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
  return [0, 1].map((channel) =>
    Float32Array.from({ length: all.length / 2 }, (_, at) => all[2 * at + channel] as number),
  );
}
