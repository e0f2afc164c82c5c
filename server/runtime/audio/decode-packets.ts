import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { toSampleError } from '../../../models/files/audio/read/to-sample-error.ts';
import { frameCountOf, type PcmPiece } from '../../../models/runtime/pcm.ts';
import { AvDecoder } from '../video/av-decoder.ts';
import { copyPlanarSamples } from './planar-samples.ts';

/**
 * Decodes the audio of a track with FFmpeg, packet by packet.
 * @throws OperationError `unprocessable` when packets are corrupt
 */
export async function* decodePacketPieces(track: InputAudioTrack): AsyncGenerator<PcmPiece> {
  try {
    const config = await track.getDecoderConfig();
    using decoder = new AvDecoder({
      codec: await track.getCodec(),
      description: config?.description,
      sampleRate: await track.getSampleRate(),
      channelCount: await track.getNumberOfChannels(),
    });
    const clock = new PieceClock(0);
    let isFirst = true;
    for await (const packet of new EncodedPacketSink(track).packets()) {
      for (const frame of decoder.decode(packet)) {
        const piece = clock.pieceOf(frame, 1e-6);
        if (isFirst) yield* leftOut(piece, packet.timestamp);
        isFirst = false;
        yield piece;
      }
    }
    for (const frame of decoder.decode(null)) yield clock.pieceOf(frame, 1e-6);
  } catch (thrown) {
    throw toSampleError(thrown);
  }
}

/** Inserts silence for the samples that FFmpeg drops from the first Opus packet, whose times count them. */
function* leftOut(
  { timestampSeconds, sampleRate, channels }: PcmPiece,
  packetSeconds: number,
): Generator<PcmPiece> {
  const frames = Math.round((timestampSeconds - packetSeconds) * sampleRate);
  if (frames <= 0) return;
  const silence = channels.map(() => new Float32Array(frames));
  yield { timestampSeconds: packetSeconds, sampleRate, channels: silence };
}

/** Converter of frames to pieces. A frame without a time follows the one before it. */
export class PieceClock {
  readonly #startSeconds: number;
  #endSeconds = 0;

  /** @param startSeconds time that counts as 0 */
  constructor(startSeconds: number) {
    this.#startSeconds = startSeconds;
  }

  /** @param tickSeconds unit of the frame's time */
  pieceOf(frame: Frame, tickSeconds: number): PcmPiece {
    const isTimed = frame.pts !== AV_NOPTS_VALUE;
    const timestampSeconds = isTimed
      ? Number(frame.pts) * tickSeconds - this.#startSeconds
      : this.#endSeconds;
    const piece = { timestampSeconds, sampleRate: frame.sampleRate, channels: copyPlanarSamples(frame) };
    this.#endSeconds = timestampSeconds + frameCountOf(piece.channels) / piece.sampleRate;
    return piece;
  }
}
