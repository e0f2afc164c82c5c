import type { OutputFile } from '../../core/operation/run-result.ts';
import {
  AUDIO_MEDIA_TYPES,
  type AudioFormat,
  getFrameCount,
  type PcmChunk,
} from '../../core/runtime/audio-codec.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { SampleQueue } from './sample-queue.ts';
import { STEM_RATE } from './stems.ts';

/** Mix to write. */
export interface MixRequest {
  /** Stems of one run, equally long. */
  readonly files: readonly Blob[];
  /** Factor of each stem; 0 leaves it out. */
  readonly gains: readonly number[];
  readonly format: AudioFormat;
  /** Part to write, in seconds; the whole when absent. */
  readonly part?: { readonly start: number; readonly end: number } | undefined;
}

export interface WrittenMix {
  readonly file: OutputFile;
  /** Largest absolute sample before it is limited to full scale. */
  readonly peak: number;
}

/**
 * Adds stems up and writes them as one stereo file. Memory does not grow with the length.
 * @throws OperationError as the codec does
 */
export async function mixStems(request: MixRequest, runtime: Runtime): Promise<WrittenMix> {
  const { format, gains, part } = request;
  const { signal, progress } = runtime;
  const audible = request.files.flatMap((file, at) => (gains[at] ? [{ file, gain: gains[at] }] : []));
  // A mix without any stem is as long as its stems, and silent.
  const voices = audible.length > 0 ? audible : request.files.slice(0, 1).map((file) => ({ file, gain: 0 }));
  const shape = { sampleRate: STEM_RATE, channelCount: 2, signal } as const;
  const sounds = await Promise.all(voices.map(({ file }) => runtime.audio.decode(file, shape)));
  const total = Math.max(...sounds.map(({ frameCount }) => frameCount));
  const first = Math.round((part?.start ?? 0) * STEM_RATE);
  const last = Math.min(total, part ? Math.round(part.end * STEM_RATE) : total);
  let peak = 0;
  async function* mixed(): AsyncGenerator<PcmChunk> {
    let at = 0;
    for await (const chunk of sumStems(
      sounds.map((sound) => sound.chunks()),
      voices.map(({ gain }) => gain),
    )) {
      const [from, until] = [Math.max(0, first - at), Math.min(getFrameCount(chunk), last - at)];
      at += getFrameCount(chunk);
      if (from < until) {
        const within = chunk.map((samples) => samples.slice(from, until));
        for (const samples of within) for (const each of samples) peak = Math.max(peak, Math.abs(each));
        yield within;
        progress({ fraction: Math.min(1, (at - first) / (last - first)) });
      }
      if (at >= last) return;
    }
  }
  const blob = await runtime.audio.encode(mixed(), { format, ...shape });
  const mediaType = AUDIO_MEDIA_TYPES[format];
  return { file: { name: `mix.${format}`, mediaType, blob: blob.slice(0, blob.size, mediaType) }, peak };
}

/** Adds up stereo sounds that come in chunks of any lengths. A shorter one ends in silence. */
export async function* sumStems(
  sounds: readonly AsyncIterable<PcmChunk>[],
  gains: readonly number[],
): AsyncGenerator<PcmChunk> {
  const readers = sounds.map((sound, at) => ({
    chunks: sound[Symbol.asyncIterator](),
    queue: new SampleQueue(),
    gain: gains[at] ?? 1,
    isEnded: false,
  }));
  try {
    for (;;) {
      for (const reader of readers) {
        while (reader.queue.length === 0 && !reader.isEnded) {
          const { value, done } = await reader.chunks.next();
          if (done) reader.isEnded = true;
          else reader.queue.push(value);
        }
      }
      const going = readers.filter(({ queue }) => queue.length > 0);
      if (going.length === 0) return;
      const count = Math.min(...going.map(({ queue }) => queue.length));
      const sum = [new Float32Array(count), new Float32Array(count)];
      for (const { queue, gain } of going) {
        const taken = queue.take(count);
        for (const [channel, samples] of sum.entries()) {
          const own = taken[channel];
          for (let at = 0; at < count; at++) samples[at] = samples[at] + gain * own[at];
        }
      }
      yield sum;
    }
  } finally {
    for (const { chunks } of readers) await chunks.return?.();
  }
}
