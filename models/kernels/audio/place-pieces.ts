import { frameCountOf, type PcmPiece } from '../../runtime/pcm.ts';

/** Relation between the times of packets and those of the audio. */
export interface Placement {
  /** Encoder delay that the times of packets do not count. */
  readonly delaySeconds: number;
  /** Whether pieces follow each other regardless of their times. */
  readonly isCounted: boolean;
}

/** Moves pieces to their times on the timeline of the audio, whose start is 0. */
export async function* placePieces(
  pieces: AsyncIterable<PcmPiece>,
  { delaySeconds, isCounted }: Placement,
): AsyncGenerator<PcmPiece> {
  let frames = 0;
  for await (const piece of pieces) {
    const seconds = isCounted ? frames / piece.sampleRate : piece.timestampSeconds;
    frames += frameCountOf(piece.channels);
    yield { ...piece, timestampSeconds: seconds - delaySeconds };
  }
}
