import { type DecodedAudio, getFrameCount, joinSamples } from '../../core/runtime/audio-codec.ts';
import { SampleQueue } from './sample-queue.ts';
import type { SeparatedChunk } from './stems.ts';
import { binCount, type StereoFrame, StereoIstft, StereoStft, type StftShape } from './stft.ts';
import { type Masks, wienerFilter } from './wiener.ts';

/** Method that finds the share of each stem in the spectra of a segment. */
export interface Masker {
  readonly shape: StftShape;
  /** Windows of a segment, and those that it shares with the next one. */
  readonly frames: number;
  readonly overlap: number;
  /** @returns masks of vocals, drums, bass and the rest, which add up to 1 */
  masks(segment: readonly StereoFrame[]): Masks | Promise<Masks>;
}

/**
 * Separates sound segment by segment, by masks and a Wiener filter. One segment fades into the next, in the spectra, so
 * nothing clicks; memory is that of a segment. The filter knows all four stems also where fewer are wanted, so the vocals
 * are the same.
 * @param count stems to estimate, the first ones: all but the last one of the result
 */
export async function* maskedStems(
  audio: DecodedAudio,
  masker: Masker,
  count: number,
  signal: AbortSignal,
): AsyncGenerator<SeparatedChunk> {
  const { shape, frames: length, overlap } = masker;
  const stft = new StereoStft(shape);
  const fades = Array.from({ length: count }, () => new FadingSegments(shape, overlap));
  const mixture = new SampleQueue();
  let waiting: StereoFrame[] = [];

  async function separate(isLast: boolean): Promise<SeparatedChunk> {
    signal.throwIfAborted();
    const segment = waiting.slice(0, length);
    const masks = await masker.masks(padded(segment, length, shape));
    const separated = wienerFilter(segment, masks, count);
    const stems = separated.map((frames, at) => fades[at].add(frames, isLast));
    waiting = waiting.slice(length - overlap);
    const chunk = mixture.take(getFrameCount(stems[0] ?? []));
    // The last windows reach beyond the end.
    const frames = getFrameCount(chunk);
    return { mixture: chunk, stems: stems.map((stem) => stem.map((samples) => samples.slice(0, frames))) };
  }

  for await (const chunk of audio.chunks()) {
    mixture.push(chunk);
    waiting.push(...stft.push(chunk));
    while (waiting.length > length) yield await separate(false);
  }
  waiting.push(...stft.finish());
  while (waiting.length > length) yield await separate(false);
  yield await separate(true);
}

/** Appends silent frames. */
function padded(segment: readonly StereoFrame[], length: number, shape: StftShape): readonly StereoFrame[] {
  if (segment.length >= length) return segment;
  const silence = new Float32Array(4 * binCount(shape));
  return [...segment, ...Array.from({ length: length - segment.length }, () => silence)];
}

/** Turns overlapping segments of a stem's spectra into samples. */
class FadingSegments {
  readonly #istft: StereoIstft;
  readonly #overlap: number;
  /** End of the segment before, which fades out. */
  #tail: readonly StereoFrame[] = [];

  constructor(shape: StftShape, overlap: number) {
    this.#istft = new StereoIstft(shape);
    this.#overlap = overlap;
  }

  /** @param isLast whether no segment follows */
  add(segment: readonly StereoFrame[], isLast: boolean): Float32Array<ArrayBuffer>[] {
    this.#tail.forEach((before, at) => {
      const frame = segment[at];
      const share = (at + 0.5) / this.#tail.length;
      if (frame) fade(before, frame, share);
    });
    const end = isLast ? segment.length : segment.length - this.#overlap;
    this.#tail = segment.slice(end);
    const parts = segment.slice(0, end).map((frame) => this.#istft.push(frame));
    return [0, 1].map((channel) => joinSamples(parts.map((part) => part[channel])));
  }
}

function fade(from: StereoFrame, to: StereoFrame, share: number): void {
  for (let at = 0; at < to.length; at++) {
    to[at] = to[at] * share + from[at] * (1 - share);
  }
}
