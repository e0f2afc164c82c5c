import { OperationError } from '../core/operation/errors.ts';
import type { AcceptanceTask } from '../core/runtime/acceptance-test.ts';
import { joinSamples } from '../core/runtime/audio-codec.ts';
import type { Runtime } from '../core/runtime/runtime.ts';

/** Sound as its channels. */
export type Sound = readonly Float32Array[];

const RATE = 44_100;
/** Largest sample of the mixture. */
const PEAK = 0.9;
/** Stems with truths. The song has no bass: what an engine takes for it belongs to the rest. */
const TRUTHS = ['vocals', 'drums', 'other'];
/** Ratio of likenesses from which another estimate has a stem's name: it is clearly more like it. */
const CLEARLY = 1.5;

/**
 * Measures separation on a song: the mean SI-SDR of vocals, drums and the rest, in dB.
 * @throws OperationError `unavailable` when a stem has the name of another one
 */
export async function measureFigure(task: AcceptanceTask): Promise<number> {
  const { runtime, engine } = task;
  const decoded = [];
  for (const name of TRUTHS) decoded.push(await decode(await task.sample(`song-${name}.mp3`), runtime));
  const frames = Math.min(...decoded.map(([left]) => left?.length ?? 0));
  const stems = decoded.map((stem) => stem.map((samples) => samples.slice(0, frames)));
  const mixture = levelled(getSum(stems));
  const song = await runtime.audio.encode(getChunks(mixture), {
    format: 'wav',
    sampleRate: RATE,
    channelCount: 2,
    signal: runtime.signal,
  });
  const params = { engine, stems: 'four', output_format: 'wav' };
  const files = await task.time(frames / RATE, () => task.run(song, params));
  const found = async (name: string): Promise<Sound> => {
    const file = files.get(`${name}.wav`);
    return file ? await decode(file, runtime) : mixture.map(() => new Float32Array(frames));
  };
  const [vocals, drums, bass, other] = [
    await found('vocals'),
    await found('drums'),
    await found('bass'),
    await found('other'),
  ];
  const estimates = new Map(Object.entries({ vocals, drums, bass, other }));
  const truths = new Map(TRUTHS.map((name, at) => [name, stems[at]]));
  assertNames(truths, estimates);
  const compared = [vocals, drums, getSum([bass, other])];
  const ratios = stems.map((stem, at) => scaleInvariantRatio(stem, compared[at]));
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

/**
 * Checks that no estimate of another name is clearly more like a stem than its own. Silence is like none. A sound may
 * be divided among two names, as an instrument between bass and the rest is; where names are exchanged, the wrong one
 * is three times as like at least.
 */
function assertNames(truths: ReadonlyMap<string, Sound>, estimates: ReadonlyMap<string, Sound>): void {
  for (const [name, truth] of truths) {
    const found = [...estimates].map(([estimate, sound]) => ({ estimate, alike: likeness(truth, sound) }));
    const nearest = found.toSorted((one, other) => other.alike - one.alike)[0];
    const own = found.find(({ estimate }) => estimate === name)?.alike ?? 0;
    if (!nearest || nearest.alike <= CLEARLY * own) continue;
    throw new OperationError('unavailable', `It gives ${name} the name ${nearest.estimate}.`, {
      kind: 'model_unusable',
    });
  }
}

async function decode(file: Blob, { audio, signal }: Runtime): Promise<Float32Array<ArrayBuffer>[]> {
  const decoded = await audio.decode(file, { sampleRate: RATE, channelCount: 2, signal });
  const parts: Float32Array[][] = [[], []];
  for await (const chunk of decoded.chunks()) {
    for (const [at, samples] of chunk.entries()) parts[at]?.push(samples.slice());
  }
  return parts.map(joinSamples);
}

function levelled(sound: Sound): Float32Array<ArrayBuffer>[] {
  const peak = sound.reduce(
    (most, samples) => samples.reduce((high, sample) => Math.max(high, Math.abs(sample)), most),
    0,
  );
  return sound.map((samples) => Float32Array.from(samples, (sample) => (sample * PEAK) / peak));
}

async function* getChunks(sound: readonly Float32Array<ArrayBuffer>[]) {
  const frames = sound[0]?.length ?? 0;
  for (let at = 0; at < frames; at += RATE) yield sound.map((samples) => samples.slice(at, at + RATE));
}

/** Returns the ratio of a signal to the estimate's error, in dB. */
export function signalToDistortion(truth: Sound, estimate: Sound): number {
  return decibels(truth, estimate, 1);
}

/**
 * Returns the ratio of a signal to the estimate's error, whatever its gain, in dB: J. Le Roux et al., "SDR: half-baked
 * or well done?" (ICASSP, 2019).
 */
export function scaleInvariantRatio(truth: Sound, estimate: Sound): number {
  return decibels(truth, estimate, inner(truth, estimate) / inner(truth, truth));
}

/** Returns the power of a sound over that of another one, in dB. */
export function levelOver(sound: Sound, other: Sound): number {
  return 10 * Math.log10(inner(sound, sound) / inner(other, other));
}

/** Returns how alike two sounds are, whatever their gains: the cosine of their angle, 0 where one of them is silent. */
function likeness(one: Sound, other: Sound): number {
  const powers = inner(one, one) * inner(other, other);
  return powers > 0 ? Math.abs(inner(one, other)) / Math.sqrt(powers) : 0;
}

/** Returns the sum of sounds of one length. */
export function getSum(sounds: readonly Sound[]): Sound {
  const [first, ...others] = sounds;
  return first.map((samples, channel) =>
    samples.map((sample, at) => others.reduce((sum, other) => sum + (other[channel][at] ?? 0), sample)),
  );
}

function decibels(truth: Sound, estimate: Sound, gain: number): number {
  let [power, error] = [0, 0];
  truth.forEach((samples, channel) => {
    const estimated = estimate[channel];
    for (let at = 0; at < samples.length; at++) {
      const wanted = gain * samples[at];
      power += wanted ** 2;
      error += (wanted - (estimated[at] ?? 0)) ** 2;
    }
  });
  return 10 * Math.log10(power / error);
}

function inner(one: Sound, other: Sound): number {
  let sum = 0;
  one.forEach((samples, channel) => {
    const paired = other[channel];
    for (let at = 0; at < samples.length; at++) sum += samples[at] * (paired[at] ?? 0);
  });
  return sum;
}
