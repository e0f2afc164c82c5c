import { placePieces } from '../../../kernels/audio/place-pieces.ts';
import { shapedFrameCount, shapePcm } from '../../../kernels/audio/shape-pcm.ts';
import type { AudioDecodeOptions, DecodedAudio } from '../../../runtime/audio-codec.ts';
import type { PcmPiece } from '../../../runtime/pcm.ts';
import { formatWarning } from '../../../runtime/run-warnings.ts';
import { assertFormat } from '../formats/assert-format.ts';
import { type OpenedAudio, openAudio } from './open-audio.ts';

/** Starts decoding. Pieces carry the times of packets, with encoder delay still in them. */
export type StartDecoder = () => AsyncIterable<PcmPiece>;

/**
 * Opens a file and converts its decoded samples to the requested rate and channels.
 * @param findDecoder chooses a decoder of this side; rejects when there is none
 * @throws OperationError as `AudioCodec.decode`
 */
export async function decodeAudio(
  input: Blob,
  { sampleRate, channelCount, secondsMax = Number.POSITIVE_INFINITY, signal }: AudioDecodeOptions,
  findDecoder: (opened: OpenedAudio) => Promise<StartDecoder>,
): Promise<DecodedAudio> {
  assertFormat({ sampleRate, channelCount });
  signal.throwIfAborted();
  const opened = await openAudio(input, { signal, secondsMax });
  const { facts } = opened;
  const { durationSeconds } = facts;
  const startDecoder = await findDecoder(opened);
  const endSeconds = Math.min(opened.endSeconds, secondsMax);
  // What was read is known at the end of decoding only, and replaces what was measured.
  let readSeconds = opened.isCutOff ? durationSeconds : null;
  const onCutOff = (seconds: number) => {
    readSeconds = seconds;
  };
  const shape = { sampleRate, channelCount, durationSeconds, endSeconds, signal, onCutOff };
  return {
    facts,
    sampleRate,
    channelCount,
    frameCount: shapedFrameCount(durationSeconds, facts.sampleRate, sampleRate),
    warnings: () => (readSeconds === null ? [] : [formatWarning('cut_off', readSeconds.toFixed(1))]),
    chunks: () => shapePcm(placePieces(startDecoder, opened), shape),
  };
}
