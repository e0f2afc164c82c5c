import { getFrameCount, type PcmPiece } from '../../core/runtime/audio-codec.ts';
import { decodingPasses, placedParts, type TrackClock } from '../track-clock.ts';

/** Relation between the times of packets and those of the audio. */
export interface Placement {
  /** Encoder delay that the times of packets do not count. */
  readonly delaySeconds: number;
  /** Whether pieces follow each other regardless of their times. */
  readonly isCounted: boolean;
  /** Stretches that are played, in the times of packets less the delay. */
  readonly clock: TrackClock;
}

/**
 * Moves pieces to their times on the clock of the file, whose start is 0, and leaves out those that are not played.
 * @param decode starts decoding from the start of the track: once, and again where an edit list goes back in time
 */
export async function* placePieces(
  decode: () => AsyncIterable<PcmPiece>,
  { delaySeconds, isCounted, clock }: Placement,
): AsyncGenerator<PcmPiece> {
  for (const pass of decodingPasses(clock)) {
    const endSeconds = Math.max(...pass.map(({ toSeconds }) => toSeconds));
    let frames = 0;
    for await (const piece of decode()) {
      const { sampleRate, channels } = piece;
      const seconds = (isCounted ? frames / sampleRate : piece.timestampSeconds) - delaySeconds;
      if (seconds >= endSeconds) break;
      frames += getFrameCount(channels);
      yield* placedPieces(piece, seconds, pass);
    }
  }
}

function* placedPieces(piece: PcmPiece, seconds: number, pass: TrackClock): Generator<PcmPiece> {
  const { sampleRate, channels } = piece;
  const length = getFrameCount(channels);
  for (const part of placedParts(pass, seconds, length / sampleRate)) {
    const from = Math.round(part.skippedSeconds * sampleRate);
    const to = Math.min(length, from + Math.round(part.lengthSeconds * sampleRate));
    yield {
      ...piece,
      timestampSeconds: part.startSeconds,
      channels: from === 0 && to === length ? channels : channels.map((each) => each.slice(from, to)),
    };
  }
}
