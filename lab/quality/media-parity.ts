import { existsSync, openAsBlob, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AudioFacts, PcmChunk } from '../../models/core/runtime/audio-codec.ts';
import type { RunWarning } from '../../models/core/runtime/run-warnings.ts';
import type { VideoFrame } from '../../models/core/runtime/video-codec.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import type { WorkerPage } from '../support/worker-page.ts';

const FOLDERS = ['cases/media', 'cases/round4/media'];

const MEDIA =
  /\.(aac|ac3|aiff?|aifc|amr|au|avi|caf|dts|eac3|flac|flv|m4a|m4v|mka|mkv|mov|mp[234]|mpg|ogg|opus|thd|ts|tta|w64|wav|webm|wma|wmv|wv)$/i;

/** Comparison of the sound or the pictures of a file on both sides. */
export interface MediaParity {
  readonly path: string;
  readonly part: 'sound' | 'pictures';
  readonly verdict: 'alike' | 'refused' | 'differs';
  readonly why: string;
}

/** Largest difference of samples, of full scale: one level of 8 bits. */
const SAMPLE_MAX = 1 / 256;

/** Mean difference of pictures, in levels of 255: sides scale chroma in two ways. */
const LEVELS_MAX = 2;

const SECONDS_MAX = 0.0015;

/** In Hz. */
const RATE = 48_000;

const { signal } = new AbortController();
const server = createNodeRuntime({ signal, scratchDirectory: tmpdir() });

interface Sound {
  readonly facts: AudioFacts;
  readonly warnings: readonly RunWarning[];
  readonly channels: readonly Float32Array[];
}

type Frame = Omit<VideoFrame, 'data'> & { readonly data: Uint8Array };

/** Lists the files of audio and video of folders within `root`, by paths from there. */
export function listMedia(root: string, folders = FOLDERS): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => MEDIA.test(path))
    .toSorted();
}

/** Prepares a worker page for `compareMedia`. */
export async function loadMedia({ page }: WorkerPage): Promise<void> {
  for (const url of ['/audio.js', '/video.js']) await page.addScriptTag({ url, type: 'module' });
  await page.waitForFunction('globalThis.decodeAudio && globalThis.getFrames');
}

/** Decodes the sound and the pictures of a file in a browser and by the server's own runtime, and compares them. */
export async function compareMedia(page: WorkerPage, root: string, path: string): Promise<MediaParity[]> {
  const input = await openAsBlob(join(root, path));
  const url = JSON.stringify(await page.put(input));
  const shape = { sampleRate: RATE, channelCount: 2 } as const;
  const sounds = await Promise.all([
    outcomeOf(async (): Promise<Sound> => {
      const audio = await server.audio.decode(input, { ...shape, signal });
      const chunks: PcmChunk[] = [];
      for await (const chunk of audio.chunks()) chunks.push(chunk);
      const channels = [0, 1].map((channel) =>
        joined(chunks.map((chunk) => chunk[channel] ?? new Float32Array())),
      );
      return { facts: audio.facts, warnings: audio.warnings(), channels };
    }),
    outcomeOf(async (): Promise<Sound> => {
      const found = await page.page.evaluate<Omit<Sound, 'channels'> & { channels: string[] }>(
        `decodeAudio(${url}, ${JSON.stringify(shape)})`,
      );
      return { ...found, channels: found.channels.map((base64) => new Float32Array(bytesOf(base64).buffer)) };
    }),
  ]);
  const pictures = await Promise.all([
    outcomeOf(async (): Promise<Frame[]> => {
      const video = await server.video.decode(input, { signal });
      const frames: Frame[] = [];
      for await (const frame of video.frames()) frames.push(frame);
      return frames;
    }),
    outcomeOf(async (): Promise<Frame[]> => {
      const frames = await page.page.evaluate<(Omit<Frame, 'data'> & { base64: string })[]>(
        `getFrames(${url})`,
      );
      return frames.map(({ base64, ...frame }) => ({ ...frame, data: bytesOf(base64) }));
    }),
  ]);
  return [
    { path, part: 'sound', ...compare(sounds, describeSound, differenceOfSounds) },
    { path, part: 'pictures', ...compare(pictures, describePictures, differenceOfPictures) },
  ];
}

type Outcome<Value> = { readonly value: Value } | { readonly message: string };

async function outcomeOf<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work() };
  } catch (thrown) {
    const { message } = thrown as Error;
    return { message: message.replace(/^page\.evaluate: (?:\w*Error: )?|\n.*$/gs, '') };
  }
}

function compare<Value>(
  [one, other]: readonly [Outcome<Value>, Outcome<Value>],
  describe: (value: Value) => string,
  difference: (one: Value, other: Value) => string | null,
): Pick<MediaParity, 'verdict' | 'why'> {
  if ('value' in one && 'value' in other) {
    const why = difference(one.value, other.value);
    return why ? { verdict: 'differs', why } : { verdict: 'alike', why: describe(one.value) };
  }
  if ('message' in one && 'message' in other && one.message === other.message)
    return { verdict: 'refused', why: one.message };
  const [server, device] = [one, other].map((each) =>
    'value' in each ? 'reads it' : `says "${each.message}"`,
  );
  return { verdict: 'differs', why: `the server ${server}, the device ${device}` };
}

function describeSound({ facts, warnings }: Sound): string {
  const { codec, durationSeconds } = facts;
  return [`${codec}, ${durationSeconds.toFixed(3)} s`, ...warnings.map(({ message }) => message)].join('; ');
}

function describePictures(frames: readonly Frame[]): string {
  const [first] = frames;
  const last = frames.at(-1);
  const seconds = (last?.timestampSeconds ?? 0) + (last?.durationSeconds ?? 0);
  return `${frames.length} of ${first?.width} x ${first?.height}, ${seconds.toFixed(3)} s`;
}

function differenceOfSounds(one: Sound, other: Sound): string | null {
  for (const part of ['facts', 'warnings'] as const) {
    const [server, device] = [one, other].map((each) => JSON.stringify(each[part], roundNumber));
    if (server !== device) return `${part}: ${server} and ${device}`;
  }
  const lengths = [one, other].map(({ channels }) => channels[0]?.length);
  if (Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0)) > SECONDS_MAX * RATE)
    return `${one.facts.durationSeconds * RATE} samples: ${lengths.join(' and ')}`;
  const furthest = Math.max(
    ...one.channels.map((samples, channel) =>
      samples.reduce(
        (most, sample, at) => Math.max(most, Math.abs(sample - (other.channels[channel]?.[at] ?? 0))),
        0,
      ),
    ),
  );
  return furthest > SAMPLE_MAX ? `samples by up to ${furthest.toFixed(4)}` : null;
}

function differenceOfPictures(one: readonly Frame[], other: readonly Frame[]): string | null {
  if (one.length !== other.length) return `${one.length} and ${other.length} frames`;
  for (const [index, frame] of one.entries()) {
    const twin = other[index] ?? frame;
    const sizes = [frame, twin].map(({ width, height }) => `${width} x ${height}`);
    if (sizes[0] !== sizes[1]) return sizes.join(' and ');
    const far = (['timestampSeconds', 'durationSeconds'] as const).find(
      (key) => Math.abs(frame[key] - twin[key]) > SECONDS_MAX,
    );
    if (far) return `frame ${index}: ${far} ${frame[far]} and ${twin[far]}`;
    const sum = frame.data.reduce((total, value, at) => total + Math.abs(value - (twin.data[at] ?? 0)), 0);
    const levels = sum / frame.data.length;
    if (levels > LEVELS_MAX) return `frame ${index} by ${levels.toFixed(1)} levels on average`;
  }
  return null;
}

/** Rounds what sums of numbers differ by. */
function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(9)) : value;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
