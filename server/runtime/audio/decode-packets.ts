import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import { toSampleError } from '../../../models/files/audio/read/to-sample-error.ts';
import type { PcmPiece } from '../../../models/runtime/pcm.ts';
import { AvDecoder } from '../ffmpeg/av-decoder.ts';
import { withEnd } from '../ffmpeg/with-end.ts';
import { decodePieces } from './decode-pieces.ts';
import { PieceClock } from './piece-clock.ts';

/**
 * Decodes the audio of a track with FFmpeg, packet by packet.
 * @throws OperationError `unprocessable` when no packet can be decoded
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
    const clock = new PieceClock();
    let isFirst = true;
    yield* decodePieces<EncodedPacket>({
      packets: withEnd(new EncodedPacketSink(track).packets()),
      timeOf: ({ timestamp, duration }) => ({ seconds: timestamp, durationSeconds: duration }),
      decode(packet) {
        const pieces = Array.from(decoder.decode(packet), (frame) => clock.pieceOf(frame));
        const [first] = pieces;
        if (!isFirst || !first) return pieces;
        isFirst = false;
        return packet ? [...droppedSamples(first, packet.timestamp), ...pieces] : pieces;
      },
    });
  } catch (thrown) {
    throw toSampleError(thrown);
  }
}

/** Returns silence for the samples that FFmpeg drops from the first Opus packet, whose times count them. */
function droppedSamples(
  { timestampSeconds, sampleRate, channels }: PcmPiece,
  packetSeconds: number,
): PcmPiece[] {
  const frames = Math.round((timestampSeconds - packetSeconds) * sampleRate);
  if (frames <= 0) return [];
  const silence = channels.map(() => new Float32Array(frames));
  return [{ timestampSeconds: packetSeconds, sampleRate, channels: silence }];
}
