import type { InputVideoTrack } from 'mediabunny';
import { OperationError } from '../../core/operation/errors.ts';
import { formatWarning } from '../../core/runtime/run-warnings.ts';
import type { DecodedVideo, VideoDecodeOptions, VideoFrame } from '../../core/runtime/video-codec.ts';
import { type Orientation, orientedSize } from '../../kernels/raster/orient-raster.ts';
import { COUNTED_FRAMES_MAX, DamagedStretches, endOfClock, WHOLE_CLOCK } from '../../kernels/track-clock.ts';
import { holdsSecondFile } from '../audio/read/second-file.ts';
import { assertBoundedDecoding } from '../containers/bounded-reads.ts';
import { findMissingEnd } from '../containers/find-missing-end.ts';
import type { PictureShape } from '../containers/picture-shape.ts';
import { readClock } from '../containers/read-clock.ts';
import { isLost } from '../containers/repair/mend-matroska.ts';
import { readMovie } from '../containers/video-header.ts';
import { damagedVideo, openVideoTrack } from './open-input.ts';
import { placeFrames, type TrackDecoder } from './video-frames.ts';

/**
 * Share of the declared duration that may be missing: headers round, and the last frame's duration is often a guess.
 */
const MISSING_MAX = 0.1;

/** Difference between declared and read length that is not yet a missing end: headers round. */
const MISSING_SECONDS = 0.1;

/** Difference between times that comes of rounding to the clock of a container. */
const ROUNDING_SECONDS = 0.002;

/** Transform from a track's decoded pictures to shown ones: cropped, with square pixels, then turned. */
export interface FrameShape extends PictureShape, Orientation {}

/** Gap between two frames behind damage from which on some are missing, as a multiple of the shortest one so far. */
const LOST_GAP = { seconds: 0.1, steps: 1.5 };

/** Share of a video that may be damaged: one with more holds something else, or is lost. */
const DAMAGED_MAX = 0.5;

/**
 * Yields all frames, and keeps what is damaged between them.
 * @throws OperationError `unprocessable` at the end when most of the video is damaged
 */
async function* watchDamage(
  frames: AsyncIterable<VideoFrame>,
  damage: DamagedStretches,
  { durationSeconds, isLost }: { durationSeconds: number; isLost: (from: number, to: number) => boolean },
): AsyncGenerator<VideoFrame> {
  let last: number | null = null;
  let usual = Number.POSITIVE_INFINITY;
  for await (const frame of frames) {
    const { timestampSeconds, followsDamage = false } = frame;
    const step = last === null ? timestampSeconds : timestampSeconds - last;
    const { seconds, steps } = LOST_GAP;
    const isDamaged = followsDamage || (last !== null && isLost(last, timestampSeconds));
    const isGap = isDamaged && step > seconds && (last === null || step > steps * usual);
    if (isGap) damage.add(last === null ? 0 : last + Math.min(usual, step), timestampSeconds);
    if (last !== null && step > 0) usual = Math.min(usual, step);
    last = timestampSeconds;
    yield frame;
  }
  if (damage.damagedSeconds > durationSeconds * DAMAGED_MAX) {
    throw new OperationError('unprocessable', 'Most of the video is damaged. Export it again.', {
      kind: 'damaged',
    });
  }
}

/**
 * Opens a video with any decoder.
 * @param getDecoder prepares a decoder for a track
 * @throws OperationError `unprocessable` when the file cannot be read; any error of `decoderOf` for the user
 */
export async function openVideo(
  input: Blob,
  { signal }: VideoDecodeOptions,
  getDecoder: (track: InputVideoTrack, shape: FrameShape) => Promise<TrackDecoder>,
): Promise<DecodedVideo> {
  signal.throwIfAborted();
  const { EncodedPacketSink } = await import('mediabunny');
  const { track, file, isCutOff, damages } = await openVideoTrack(input);
  const damage = new DamagedStretches();
  try {
    const movie = await readMovie(file, { secondsMax: Number.POSITIVE_INFINITY }).catch((cause: unknown) => {
      throw damagedVideo(new Error('The header cannot be read.', { cause }));
    });
    const shape = await getFrameShape(track, movie.shapes);
    const { decode, isPlaced } = await getDecoder(track, shape);
    const clock = await readClock(input, track);
    const endSeconds = await track.computeDuration();
    // A header, which probing goes by, may state another length than the packets have.
    assertBoundedDecoding(clock, endSeconds);
    const placing = isPlaced ? WHOLE_CLOCK : clock;
    const shift = clock[0] ? clock[0].fromSeconds - clock[0].startSeconds : 0;
    const missing = await findMissingEnd(input);
    const hasSecond = await holdsSecondFile(input, movie.container, signal);
    const ownSeconds = endOfClock(clock, endSeconds);
    const isOpen = /^(mkv|webm)$/.test(movie.container) && !isCutOff && !missing;
    const durationSeconds = isOpen
      ? await findLastEnd(input, track, movie.durationSeconds, ownSeconds)
      : ownSeconds;
    const lastPacket = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY, {
      metadataOnly: true,
    });
    const lastSeconds = lastPacket ? endOfClock(clock, lastPacket.timestamp) : durationSeconds;
    // Fragments state no length of the whole.
    const statedSeconds = (await track.input.getDurationFromMetadata()) ?? 0;
    const declaredSeconds = Math.max(durationSeconds, statedSeconds);
    let reachedSeconds = declaredSeconds;
    const { averagePacketRate } = await track.computePacketStats(COUNTED_FRAMES_MAX);
    return {
      ...orientedSize(shape, shape),
      durationSeconds,
      frameRate: averagePacketRate,
      frames: () =>
        assertNoMissingFrames(
          watchDamage(
            withLastEnd(placeFrames(decode, placing, signal), lastSeconds, durationSeconds),
            damage,
            { durationSeconds, isLost: (from, to) => isLost(damages, track.id, from + shift, to + shift) },
          ),
          durationSeconds,
          (seconds) => {
            reachedSeconds = seconds;
          },
        ),
      warnings: () => [
        ...(hasSecond ? [formatWarning('second_file')] : []),
        ...(damage.all.length > 0
          ? [formatWarning('damaged_video', damage.damagedSeconds.toFixed(1), damage.words)]
          : []),
        ...(isCutOff ||
        (missing && (statedSeconds === 0 || reachedSeconds < declaredSeconds - MISSING_SECONDS))
          ? [formatWarning('cut_off_video', reachedSeconds.toFixed(1))]
          : []),
      ],
    };
  } catch (thrown) {
    throw damagedVideo(thrown);
  }
}

/**
 * Finds the end of the last picture of a Matroska file, which need not state it: that of the file, as the price has it,
 * unless sound lasts until then.
 * @param fileSeconds length that the header states
 * @param ownSeconds end of the last picture by what its packet or the pictures before it state
 */
async function findLastEnd(
  file: Blob,
  track: InputVideoTrack,
  fileSeconds: number,
  ownSeconds: number,
): Promise<number> {
  let soundSeconds = 0;
  for (const audio of await track.input.getAudioTracks()) {
    const clock = await readClock(file, audio);
    soundSeconds = Math.max(soundSeconds, endOfClock(clock, await audio.computeDuration()));
  }
  return soundSeconds > fileSeconds - MISSING_SECONDS ? ownSeconds : fileSeconds;
}

/**
 * Shows the last picture until the end, which its decoder may not know.
 * @param lastSeconds its start. Where it is never reached, the end of the file is missing
 */
async function* withLastEnd(
  frames: AsyncIterable<VideoFrame>,
  lastSeconds: number,
  endSeconds: number,
): AsyncGenerator<VideoFrame> {
  for await (const frame of frames) {
    const { timestampSeconds, durationSeconds } = frame;
    const seconds = endSeconds - timestampSeconds;
    const isLast = timestampSeconds > lastSeconds - ROUNDING_SECONDS && seconds > ROUNDING_SECONDS;
    const isSame = Math.abs(seconds - durationSeconds) < ROUNDING_SECONDS;
    yield isLast && !isSame ? { ...frame, durationSeconds: seconds } : frame;
  }
}

/** Reads how a track is shown: as probing does, and turned. */
async function getFrameShape(
  track: InputVideoTrack,
  shapes: ReadonlyMap<number, PictureShape>,
): Promise<FrameShape> {
  const shape = shapes.get(track.id);
  if (!shape) throw damagedVideo(new Error('The header lacks the track.'));
  const quarterTurns = ((await track.getRotation()) / 90) as Orientation['quarterTurns'];
  return { ...shape, quarterTurns, isMirrored: await track.getFlip() };
}

/**
 * Yields all frames and checks that none is missing.
 * @param durationSeconds from the file's header
 * @param onEnd called at the end with the end of the last frame in seconds
 * @throws OperationError `unprocessable` at the end when the frames end long before that: the file is truncated
 */
async function* assertNoMissingFrames(
  frames: AsyncIterable<VideoFrame>,
  durationSeconds: number,
  onEnd: (reachedSeconds: number) => void = () => {},
): AsyncGenerator<VideoFrame> {
  let reachedSeconds = 0;
  for await (const frame of frames) {
    reachedSeconds = frame.timestampSeconds + frame.durationSeconds;
    yield frame;
  }
  onEnd(reachedSeconds);
  if (reachedSeconds >= durationSeconds * (1 - MISSING_MAX)) return;
  const percent = Math.floor((reachedSeconds / durationSeconds) * 100);
  const read = percent < 1 ? 'hardly any of it' : `the first ${percent} %`;
  throw new OperationError(
    'unprocessable',
    `The end of the video is missing: ${read} could be read. Send the whole file.`,
  );
}
