import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import {
  getSum,
  levelOver,
  type Sound,
  scaleInvariantRatio,
  signalToDistortion,
} from '../../../models/acceptance/stems.ts';
import { audioSeparateStems } from '../../../models/operations/stems/operation.ts';
import { readEnv } from '../../../server/base/env.ts';
import { openInference } from '../../../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { SHARED } from '../../support/shared-folder.ts';

/** Song with its stems: each file of the truth, and the stems of the result that it is the sum of. */
interface Song {
  readonly name: string;
  readonly truths: Readonly<Record<string, readonly string[]>>;
}

const RATE = 44_100;
/** A synthesized bass may count as either. */
const EVR = { vocals: ['vocals'], drums: ['drums'], other: ['bass', 'other'] };
const SONGS: readonly Song[] = [
  { name: 'evr_lithium', truths: EVR },
  { name: 'evr_sodium', truths: EVR },
  {
    name: 'waveform_playlist_15s',
    truths: { vocals: ['vocals'], bassdrums: ['bass', 'drums'], other: ['other'] },
  },
];
const runtime = createNodeRuntime({
  signal: new AbortController().signal,
  inference: openInference(readEnv()),
});

/**
 * Judges each available engine on songs whose stems are known, as a table: signal-to-distortion ratio (SDR) and its
 * scale- invariant form (SI-SDR) of each stem in dB, compared with the mixture as the estimate, and the time of a second of
 * sound. A last row for each engine gives the level of the vocals of a song without any, under that of the song.
 * @throws Error when the songs are missing
 */
export async function judgeStems(): Promise<void> {
  const root = join(SHARED, 'data/stems');
  if (!existsSync(root))
    throw new Error(`There is no folder ${root}: set DARKROOM_SHARED to that of the test data.`);
  const engines = audioSeparateStems.params.shape.engine.def.innerType.options.filter((id) => id !== 'auto');
  console.log('| engine | song | stem | SDR | mixture | SI-SDR | mixture | time of 1 s |');
  console.log(`|${' --- |'.repeat(8)}`);
  for (const engine of engines) {
    const gains = new Map<string, number[]>();
    for (const song of SONGS) await judgeSong(join(root, song.name), song, engine, gains);
    for (const [stem, found] of gains) {
      const mean = found.reduce((sum, gain) => sum + gain, 0) / found.length;
      console.log(`| ${engine} | mean of ${found.length} | ${stem} | | | +${mean.toFixed(2)} | | |`);
    }
  }
}

async function judgeSong(
  folder: string,
  { name, truths }: Song,
  engine: string,
  gains: Map<string, number[]>,
): Promise<void> {
  const input = await openAsBlob(join(folder, 'mixture.flac'));
  const mixture = await getSound(input);
  const separated = await separate(input, engine);
  if (!separated) return;
  const { stems, seconds } = separated;
  const pace = (seconds / ((mixture[0]?.length ?? 0) / RATE)).toFixed(2);
  const files = new Map<string, Sound>();
  for (const [file, parts] of Object.entries(truths)) {
    const truth = await getSound(await openAsBlob(join(folder, `${file}.flac`)));
    files.set(file, truth);
    const estimate = getSum(parts.map((part) => stems.get(part) as Sound));
    const figures = [signalToDistortion, scaleInvariantRatio].flatMap((ratio) => [
      ratio(truth, estimate),
      ratio(truth, mixture),
    ]);
    gains.set(file, [...(gains.get(file) ?? []), figures[2] - figures[3]]);
    console.log(
      `| ${engine} | ${name} | ${file} | ${figures.map((f) => f.toFixed(2)).join(' | ')} | ${pace} |`,
    );
  }
  const unsung = getSum([...files].flatMap(([file, sound]) => (file === 'vocals' ? [] : [sound])));
  const without = await separate(await getWav(unsung), engine);
  const level = levelOver(without?.stems.get('vocals') as Sound, unsung);
  console.log(`| ${engine} | ${name} without vocals | vocals | level ${level.toFixed(1)} dB | | | | |`);
}

/** Returns the stems; null where the engine is not available. */
async function separate(
  input: Blob,
  engine: string,
): Promise<{ stems: Map<string, Sound>; seconds: number } | null> {
  const startedAtMs = performance.now();
  const params = { stems: 'four', output_format: 'wav', engine };
  try {
    const { files } = await audioSeparateStems.execute(input, params, runtime);
    const seconds = (performance.now() - startedAtMs) / 1000;
    const stems = new Map<string, Sound>();
    for (const { name, blob } of files) stems.set(name.replace('.wav', ''), await getSound(blob));
    return { stems, seconds };
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== 'unavailable') throw thrown;
    return null;
  }
}

async function getSound(file: Blob): Promise<Sound> {
  const options = { sampleRate: RATE, channelCount: 2, signal: runtime.signal } as const;
  const parts: (readonly Float32Array[])[] = [];
  for await (const chunk of (await runtime.audio.decode(file, options)).chunks()) parts.push(chunk);
  return [0, 1].map((channel) => {
    const whole = new Float32Array(parts.reduce((sum, part) => sum + (part[0]?.length ?? 0), 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part[channel], at);
      at += part[0]?.length ?? 0;
    }
    return whole;
  });
}

async function getWav(sound: Sound): Promise<Blob> {
  async function* chunks() {
    yield sound.map((samples) => Float32Array.from(samples));
  }
  const options = { format: 'wav', sampleRate: RATE, channelCount: 2, signal: runtime.signal } as const;
  return await runtime.audio.encode(chunks(), options);
}
