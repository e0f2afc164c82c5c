import type { AudioFormat, OutputChannelCount, PcmChunk } from '../../../models/core/runtime/audio-codec.ts';
import { createProgressMeter } from '../../../models/core/runtime/progress.ts';
import { createAudioCodec } from '../../../workers/runtime/media/audio-codec.ts';
import { blobToBase64 } from './base64.ts';

const never = new AbortController().signal;
const codec = createAudioCodec({ signal: never, meter: createProgressMeter(() => {}) });

interface Shape {
  readonly sampleRate: number;
  readonly channelCount: OutputChannelCount;
}

const fetchBlob = async (url: string) => (await fetch(url)).blob();

/** Decodes a file with the device's codec: its facts, and all samples of each channel in base64. */
async function decodeAudio(url: string, shape: Shape): Promise<object> {
  const audio = await codec.decode(await fetchBlob(url), { ...shape, signal: never });
  const chunks: PcmChunk[] = [];
  for await (const chunk of audio.chunks()) chunks.push(chunk);
  const channels = Array.from({ length: shape.channelCount }, (_, channel) =>
    blobToBase64(new Blob(chunks.map((chunk) => chunk[channel]))),
  );
  const { facts, frameCount } = audio;
  return { facts, frameCount, channels: await Promise.all(channels), warnings: audio.warnings() };
}

/** Re-encodes the audio of a file as another file. */
async function encodeAudio(
  url: string,
  { format, ...shape }: Shape & { format: AudioFormat },
): Promise<string> {
  const audio = await codec.decode(await fetchBlob(url), { ...shape, signal: never });
  return blobToBase64(await codec.encode(audio.chunks(), { format, ...shape, signal: never }));
}

/** Opens a file for decoding. Returns the error, or null when it opens. */
async function openError(url: string, shape: Shape): Promise<object | null> {
  try {
    await codec.decode(await fetchBlob(url), { ...shape, signal: never });
    return null;
  } catch (thrown) {
    const { code, message } = thrown as Error & { code: string };
    return { code, message };
  }
}

/** Aborts decoding after the first chunk. Returns the name of the error that ends it. */
async function abortDecoding(url: string, shape: Shape): Promise<string> {
  const controller = new AbortController();
  const audio = await codec.decode(await fetchBlob(url), { ...shape, signal: controller.signal });
  try {
    for await (const _ of audio.chunks()) controller.abort();
    return 'no error';
  } catch (thrown) {
    return (thrown as Error).name;
  }
}

Object.assign(globalThis, { decodeAudio, encodeAudio, openError, abortDecoding });
