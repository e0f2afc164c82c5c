import { createProgressMeter } from '../../../models/core/runtime/progress.ts';
import { createAudioCodec } from '../../../workers/runtime/media/audio-codec.ts';
import { createVideoCodec } from '../../../workers/runtime/media/video-codec.ts';
import { blobToBase64, bytesToBase64 } from './base64.ts';
import type { RewriteOptions } from './rewrite-options.ts';

const never = new AbortController().signal;
const loading = { signal: never, meter: createProgressMeter(() => {}) };
const codec = createVideoCodec(createAudioCodec(loading), loading);

/** Decodes or re-encodes a video with the device's codec. */
async function getFrames(url: string): Promise<object[]> {
  const input = await (await fetch(url)).blob();
  const video = await codec.decode(input, { signal: new AbortController().signal });
  const frames: object[] = [];
  for await (const { data, ...frame } of video.frames())
    frames.push({ ...frame, base64: bytesToBase64(data) });
  return frames;
}

async function rewritten(url: string, { format, alpha, sound }: RewriteOptions): Promise<object> {
  const { signal } = new AbortController();
  const input = await (await fetch(url)).blob();
  const video = await codec.decode(input, { signal });
  async function* frames() {
    for await (const frame of video.frames()) {
      for (let at = 3; alpha && at < frame.data.length; at += 4) {
        frame.data[at] = Math.round((255 * (((at - 3) / 4) % frame.width)) / (frame.width - 1));
      }
      yield frame;
    }
  }
  const soundFrom = sound ? input : null;
  const { frameRate } = video;
  const { blob, warnings } = await codec.encode(frames(), { format, alpha, frameRate, soundFrom, signal });
  return { warnings, base64: await blobToBase64(blob) };
}

async function getFault(url: string): Promise<object> {
  try {
    return await getFrames(url);
  } catch (thrown) {
    const { code, message } = thrown as Error & { code: string };
    return { code, message };
  }
}

/** Reports whether decoding stops after cancellation. */
async function cancelled(url: string): Promise<string> {
  const controller = new AbortController();
  const input = await (await fetch(url)).blob();
  const video = await codec.decode(input, { signal: controller.signal });
  try {
    for await (const frame of video.frames()) if (frame.timestampSeconds > 0.1) controller.abort();
    return 'read to its end';
  } catch (thrown) {
    return (thrown as Error).name;
  }
}

Object.assign(globalThis, { getFrames, rewritten, getFault, cancelled });
