import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { drawMovingFrame } from '../../../lab/fixtures/moving-pattern.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import type { VideoEncodeOptions, VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { createVideoCodec } from '../../../server/runtime/media/video-codec.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/videos');

export function videoFixture(name: string): Promise<Blob> {
  return openAsBlob(resolve(FIXTURES, name));
}

const codec = createVideoCodec();
const never = new AbortController().signal;

/** Reads all frames of a video with the server's codec, and its warnings. */
export async function readVideo(input: Blob) {
  const video = await codec.decode(input, { signal: never });
  const frames = await getAll(video.frames());
  return { frames, warnings: getMessages(video.warnings()) };
}

/** Reads all frames of a video with the server's codec. */
export async function decodeVideoFrames(input: Blob, signal: AbortSignal = never): Promise<VideoFrame[]> {
  const video = await codec.decode(input, { signal });
  return getAll(video.frames());
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
    const frame = { ...drawMovingFrame(width, height, index, fades), timestampSeconds, durationSeconds };
    timestampSeconds += durationSeconds;
    return frame;
  });
}

/** Encodes frames with the server's codec. */
export async function encodeVideo(frames: Iterable<VideoFrame>, options: Partial<VideoEncodeOptions>) {
  const all = [...frames];
  const seconds = all.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const usual = { format: 'mp4', alpha: false, soundFrom: null, signal: never } as const;
  return codec.encode(getAsync(all), { ...usual, frameRate: all.length / seconds, ...options });
}

async function* getAsync<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

/** Reads a file's audio as stored. */
export async function readAudioPackets(
  input: Blob,
): Promise<{ codec: string | null; packets: EncodedPacket[] }> {
  const track = await new Input({
    source: new BlobSource(input),
    formats: ALL_FORMATS,
  }).getPrimaryAudioTrack();
  if (!track) return { codec: null, packets: [] };
  const packets = await getAll(new EncodedPacketSink(track).packets());
  return { codec: await track.getCodec(), packets };
}

/** Returns an MP4 whose audio is there as often as asked, each time as a track of another language. */
export async function repeatAudioTrack(blob: Blob, languages: readonly string[]): Promise<Blob> {
  const input = new Input({ source: new BlobSource(blob), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const [videoCodec, audioCodec] = [await video?.getCodec(), await audio?.getCodec()];
  if (!video || !audio || !videoCodec || !audioCodec) throw new Error('The video lacks a track.');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const frames = new EncodedVideoPacketSource(videoCodec);
  const sounds = languages.map((languageCode) => {
    const source = new EncodedAudioPacketSource(audioCodec);
    return { source, languageCode };
  });
  output.addVideoTrack(frames);
  for (const { source, languageCode } of sounds) output.addAudioTrack(source, { languageCode });
  await output.start();
  const [videoConfig, audioConfig] = [await video.getDecoderConfig(), await audio.getDecoderConfig()];
  if (!videoConfig || !audioConfig) throw new Error('The video lacks a configuration.');
  for await (const packet of new EncodedPacketSink(video).packets()) {
    await frames.add(packet, { decoderConfig: videoConfig });
  }
  for (const { source } of sounds) {
    for await (const packet of new EncodedPacketSink(audio).packets()) {
      await source.add(packet, { decoderConfig: audioConfig });
    }
    source.close();
  }
  await output.finalize();
  return new Blob([target.buffer as ArrayBuffer], { type: 'video/mp4' });
}

/** Returns times in whole milliseconds, free of rounding noise. */
export function readFrameTimes(frames: readonly VideoFrame[]): [startMs: number, lastsMs: number][] {
  return frames.map(({ timestampSeconds, durationSeconds }) => [
    Math.round(timestampSeconds * 1000),
    Math.round(durationSeconds * 1000),
  ]);
}

async function getAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
