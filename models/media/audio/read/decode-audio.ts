import { OperationError } from '../../../core/operation/errors.ts';
import {
  type AudioDecodeOptions,
  type DecodedAudio,
  getFrameCount,
  type PcmChunk,
  type PcmPiece,
} from '../../../core/runtime/audio-codec.ts';
import { formatWarning, type RunWarning } from '../../../core/runtime/run-warnings.ts';
import { placePieces } from '../../../kernels/audio/place-pieces.ts';
import { JITTER_SECONDS, shapedFrameCount, shapePcm } from '../../../kernels/audio/shape-pcm.ts';
import {
  damagedSilence,
  isUncompressedCodec,
  NOISE_PEAK,
  silenceBursts,
} from '../../../kernels/audio/silence.ts';
import { DamagedStretches } from '../../../kernels/track-clock.ts';
import { assertFormat } from '../formats/raw-audio.ts';
import { findParts } from './find-parts.ts';
import { type AudioLink, type OpenedAudio, openParts } from './open-audio.ts';
import { otherTrackNumbers, unlessRefused } from './open-tracks.ts';
import type { LinkTrack } from './opened-part.ts';
import { findSecondStart, holdsSecondFile } from './second-file.ts';

/** Peak under which sound is silence: -80 dB. */
const SILENCE_PEAK = 1e-4;

/** Length in which a track is listened to. */
const LISTENED_SECONDS = 600;

/** Starts decoding. Pieces carry the times of packets, with encoder delay still in them. */
export type StartDecoder = () => AsyncIterable<PcmPiece>;

/** Link whose track is open. */
export interface OpenedLink extends Pick<AudioLink, 'facts' | 'endSeconds'>, LinkTrack {}

/**
 * Finds a decoder of this side for a link of a file. Its track is null where only FFmpeg reads it.
 * @throws OperationError `unavailable` when there is none
 */
export type FindDecoder = (link: OpenedLink) => Promise<StartDecoder>;

/** Length that a part may lack before the next one: some state the length of their last packet as a whole one. */
const GAP_SECONDS = 0.15;

/** Frames of a chunk of silence. */
const SILENCE_FRAMES = 65_536;

/** Share of the audio that may be damaged: a file with more holds something else, or is lost. */
const DAMAGED_MAX = 0.5;

/** Shortest damage that a warning names. Lengths of parts are rounded. */
const NAMED_SECONDS = 0.05;

/**
 * Opens a file and converts its decoded samples to the requested rate and channels.
 * @throws OperationError as `AudioCodec.decode`
 */
export async function decodeAudio(
  input: Blob,
  options: AudioDecodeOptions,
  findDecoder: FindDecoder,
): Promise<DecodedAudio> {
  const { sampleRate, channelCount, secondsMax = Number.POSITIVE_INFINITY, signal } = options;
  assertFormat({ sampleRate, channelCount });
  signal.throwIfAborted();
  const openDecoder = async ({ facts, endSeconds, openTrack }: AudioLink): Promise<StartDecoder> =>
    await findDecoder({ facts, endSeconds, ...(await openTrack()) });
  const all = await findParts(input, { signal });
  const [only] = all.parts.length === 1 ? all.parts : [];
  const end = only ? await findSecondStart(only.file, all.container, signal) : null;
  const found = only && end ? { ...all, parts: [{ ...only, file: only.file.slice(0, end) }] } : all;
  const opened = await chooseTrack(
    (trackNumber) => openParts(found, { signal, secondsMax, ...(trackNumber && { trackNumber }) }),
    (candidate) => new Decoding(candidate, options, openDecoder).chunks(),
    sampleRate,
  );
  const { facts, links } = opened;
  const [first] = links;
  const hasSecond =
    end !== null || (only !== undefined && (await holdsSecondFile(only.file, all.container, signal)));
  // A device without a decoder says so before anything is decoded.
  const firstDecoder = first ? await openDecoder(first) : null;
  const decoding = new Decoding(
    opened,
    options,
    async (link) => (link === first ? firstDecoder : null) ?? (await openDecoder(link)),
  );
  return {
    facts,
    sampleRate,
    channelCount,
    frameCount: shapedFrameCount(facts.durationSeconds, facts.sampleRate, sampleRate),
    warnings: () => [...(hasSecond ? [formatWarning('second_file')] : []), ...decoding.warnings()],
    chunks: () => decoding.chunks(),
  };
}

/** Decoding of the links of a file, one after the other. */
class Decoding {
  readonly #opened: OpenedAudio;
  readonly #options: AudioDecodeOptions;
  readonly #openDecoder: (link: AudioLink) => Promise<StartDecoder>;
  /** Length that could be read of audio that is cut off. It is known at the end of decoding only. */
  #readSeconds: number | null;
  #damage = new DamagedStretches();

  constructor(
    opened: OpenedAudio,
    options: AudioDecodeOptions,
    openDecoder: (link: AudioLink) => Promise<StartDecoder>,
  ) {
    this.#opened = opened;
    this.#options = options;
    this.#openDecoder = openDecoder;
    this.#readSeconds = opened.isCutOff ? opened.facts.durationSeconds : null;
  }

  async *chunks(): AsyncGenerator<PcmChunk> {
    const { sampleRate, channelCount } = this.#options;
    const { durationSeconds } = this.#opened.facts;
    this.#damage = new DamagedStretches();
    let frames = 0;
    for (const link of this.#opened.links) {
      const { startSeconds } = link;
      const missing = Math.round(startSeconds * sampleRate) - frames;
      if (link.isAfterDamage || missing > GAP_SECONDS * sampleRate) {
        this.#damage.add(Math.min(frames / sampleRate, startSeconds), startSeconds);
      }
      for (const chunk of silentChunks(missing, channelCount)) {
        frames += getFrameCount(chunk);
        yield chunk;
      }
      for await (const chunk of this.#getChunks(link)) {
        frames += getFrameCount(chunk);
        yield chunk;
      }
    }
    if (this.#damage.damagedSeconds > durationSeconds * DAMAGED_MAX) {
      throw new OperationError('unprocessable', 'Most of the audio is damaged. Export it again.', {
        kind: 'damaged',
      });
    }
  }

  async *#getChunks(link: AudioLink): AsyncGenerator<PcmChunk> {
    const { sampleRate, channelCount, secondsMax = Number.POSITIVE_INFINITY, signal } = this.#options;
    const { startSeconds } = link;
    const decode = await this.#openDecoder(link);
    const pieces = placePieces(() => markLost(decode(), link), link);
    const peak = isUncompressedCodec(link.facts.codec) ? NOISE_PEAK : undefined;
    yield* shapePcm(silenceBursts(pieces, peak), {
      sampleRate,
      channelCount,
      channelMask: link.channelMask ?? undefined,
      durationSeconds: link.facts.durationSeconds,
      endSeconds: Math.min(link.endSeconds, secondsMax - startSeconds),
      signal,
      onCutOff: (seconds) => {
        if (link === this.#opened.links.at(-1)) this.#readSeconds = startSeconds + seconds;
      },
      onDamage: (start, end) => this.#damage.add(startSeconds + start, startSeconds + end),
    });
  }

  warnings(): readonly RunWarning[] {
    const { words, damagedSeconds } = this.#damage;
    const { track } = this.#opened.facts;
    return [
      ...(track
        ? [formatWarning('dropped_tracks', String(track.count), String(track.number), track.label)]
        : []),
      ...(damagedSeconds >= NAMED_SECONDS
        ? [formatWarning('damaged_audio', damagedSeconds.toFixed(1), words)]
        : []),
      ...(this.#readSeconds === null ? [] : [formatWarning('cut_off', this.#readSeconds.toFixed(1))]),
    ];
  }
}

/** Yields pieces, with silence that is marked as damage where samples between them were lost. */
async function* markLost(
  pieces: AsyncIterable<PcmPiece>,
  { isLost }: Pick<AudioLink, 'isLost'>,
): AsyncGenerator<PcmPiece> {
  let endSeconds: number | null = null;
  for await (const piece of pieces) {
    const { timestampSeconds, sampleRate, channels } = piece;
    // What follows within the jitter of times follows directly.
    const end: number = endSeconds ?? timestampSeconds;
    const isGap = timestampSeconds > end + JITTER_SECONDS;
    if (isGap && isLost?.(end, timestampSeconds)) yield* damagedSilence(piece, end, timestampSeconds);
    const isInPlace = Math.abs(timestampSeconds - end) <= JITTER_SECONDS;
    endSeconds = (isInPlace ? end : timestampSeconds) + getFrameCount(channels) / sampleRate;
    yield piece;
  }
}

function* silentChunks(frames: number, channelCount: number): Generator<PcmChunk> {
  for (let left = frames; left > 0; left -= SILENCE_FRAMES) {
    yield Array.from({ length: channelCount }, () => new Float32Array(Math.min(left, SILENCE_FRAMES)));
  }
}

/**
 * Chooses the track of a file that is heard: the one that players begin with, or the first that is not silent.
 * @param open opens a track by its number, or the one that players begin with
 * @param decode starts decoding it. One that cannot be decoded counts as silent
 * @param sampleRate of decoded samples, in Hz
 * @throws OperationError of `open` for the first track
 */
async function chooseTrack(
  open: (trackNumber?: number) => Promise<OpenedAudio>,
  decode: (opened: OpenedAudio) => AsyncIterable<PcmChunk>,
  sampleRate: number,
): Promise<OpenedAudio> {
  const isHeard = async (opened: OpenedAudio) =>
    await findSound(decode(opened), LISTENED_SECONDS * sampleRate).catch(isMissingDecoder);
  const usual = await open();
  const { track } = usual.facts;
  if (!track || (await isHeard(usual))) return usual;
  for (const number of otherTrackNumbers(track)) {
    const other = await open(number).catch(unlessRefused);
    if (other && (await isHeard(other))) return other;
  }
  return usual;
}

/** Reports whether the first samples of a track are not all silent. */
async function findSound(chunks: AsyncIterable<PcmChunk>, framesMax: number): Promise<boolean> {
  let frames = 0;
  for await (const chunk of chunks) {
    if (chunk.some((samples) => samples.some((sample) => Math.abs(sample) > SILENCE_PEAK))) return true;
    frames += chunk[0]?.length ?? 0;
    if (frames > framesMax) return false;
  }
  return false;
}

/** Reports whether only this device cannot decode a track: others can hear it. */
function isMissingDecoder(thrown: unknown): boolean {
  if (thrown instanceof OperationError) return thrown.code === 'unavailable';
  throw thrown;
}
