import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { ALL_FORMATS, BlobSource, type EncodedPacket, EncodedPacketSink, Input } from 'mediabunny';
import type { VideoEncodeOptions, VideoFrame } from '../../models/video-codec.ts';
import { movingFrame } from '../../scripts/fixtures/moving-pattern.ts';
import { createVideoCodec } from '../../server/runtime/video/index.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/videos');

/** Videos shared beside the repository, if any. */
export const SHARED_VIDEO = resolve(
  process.env.DARKROOM_SHARED ?? resolve(import.meta.dirname, '../../../shared'),
  'data/video/mediabunny',
);

export function videoFixture(name: string): Promise<Blob> {
  return openAsBlob(resolve(FIXTURES, name));
}

const codec = createVideoCodec();
const never = new AbortController().signal;

/** Reads all frames of a video with the server's codec. */
export async function framesOf(input: Blob, signal: AbortSignal = never): Promise<VideoFrame[]> {
  const video = await codec.decode(input, { signal });
  return allOf(video.frames());
}

/** Frames of the moving pattern with the given durations. */
export function movingFrames(
  width: number,
  height: number,
  secondsEach: readonly number[],
  fades = false,
): VideoFrame[] {
  let timestampSeconds = 0;
  return secondsEach.map((durationSeconds, index) => {
    const frame = { ...movingFrame(width, height, index, fades), timestampSeconds, durationSeconds };
    timestampSeconds += durationSeconds;
    return frame;
  });
}

/** Encodes frames with the server's codec. */
export async function encoded(frames: Iterable<VideoFrame>, options: Partial<VideoEncodeOptions>) {
  const all = [...frames];
  const seconds = all.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const usual = { format: 'mp4', alpha: false, soundFrom: null, signal: never } as const;
  return codec.encode(asyncOf(all), { ...usual, frameRate: all.length / seconds, ...options });
}

async function* asyncOf<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

/** Reads a file's audio as stored. */
export async function soundOf(input: Blob): Promise<{ codec: string | null; packets: EncodedPacket[] }> {
  const track = await new Input({
    source: new BlobSource(input),
    formats: ALL_FORMATS,
  }).getPrimaryAudioTrack();
  if (!track) return { codec: null, packets: [] };
  const packets = await allOf(new EncodedPacketSink(track).packets());
  return { codec: await track.getCodec(), packets };
}

/** Returns times in whole milliseconds, free of rounding noise. */
export function timesOf(frames: readonly VideoFrame[]): [startMs: number, lastsMs: number][] {
  return frames.map(({ timestampSeconds, durationSeconds }) => [
    Math.round(timestampSeconds * 1000),
    Math.round(durationSeconds * 1000),
  ]);
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
