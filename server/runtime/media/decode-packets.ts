import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import type { Frame } from 'node-av/lib';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { PcmPiece } from '../../../models/core/runtime/audio-codec.ts';
import { isBurst, isUncompressedCodec } from '../../../models/kernels/audio/silence.ts';
import { toSampleError } from '../../../models/media/audio/read/sample-pieces.ts';
import { AvDecoder, type StreamFormat, withEnd } from './av-decoder.ts';
import { decodePieces } from './decode-pieces.ts';
import { PieceClock } from './piece-clock.ts';

/**
 * Decodes the audio of a track with FFmpeg, packet by packet.
 * @throws OperationError `unprocessable` when no packet can be decoded
 */
export async function* decodePacketPieces(track: InputAudioTrack): AsyncGenerator<PcmPiece> {
  try {
    const config = await track.getDecoderConfig();
    const codec = await track.getCodec();
    using decoder = new RenewedDecoder({
      codec,
      description: config?.description,
      sampleRate: await track.getSampleRate(),
      channelCount: await track.getNumberOfChannels(),
    });
    const isPlain = isUncompressedCodec(codec);
    const clock = new PieceClock();
    let isFirst = true;
    yield* decodePieces<EncodedPacket>({
      packets: withEnd(new EncodedPacketSink(track).packets()),
      getTime: ({ timestamp, duration }) => ({ seconds: timestamp, durationSeconds: duration }),
      decode(packet) {
        const pieces = decodeOrRenew(decoder, packet, (frame) => clock.getPiece(frame), isPlain);
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

/**
 * Decodes a packet. After a corrupt one the decoder restarts: others would continue from its samples, or with the
 * channels that it seems to state.
 * @throws OperationError `unprocessable` when it is corrupt
 */
function decodeOrRenew(
  decoder: RenewedDecoder,
  packet: EncodedPacket | null,
  getPiece: (frame: Frame) => PcmPiece,
  isPlain: boolean,
): PcmPiece[] {
  try {
    const pieces = Array.from(decoder.decode(packet), getPiece);
    if (isPlain || !pieces.some((piece) => isBurst(piece))) return pieces;
    throw new OperationError('unprocessable', 'The audio is damaged.', { kind: 'damaged' });
  } catch (thrown) {
    decoder.renew();
    throw thrown;
  }
}

/** Decoder that can restart. */
class RenewedDecoder implements Disposable {
  readonly #format: StreamFormat;
  #decoder: AvDecoder;

  constructor(format: StreamFormat) {
    this.#format = format;
    this.#decoder = new AvDecoder(format);
  }

  decode(packet: EncodedPacket | null): ReturnType<AvDecoder['decode']> {
    return this.#decoder.decode(packet);
  }

  renew(): void {
    this.#decoder[Symbol.dispose]();
    this.#decoder = new AvDecoder(this.#format);
  }

  [Symbol.dispose](): void {
    this.#decoder[Symbol.dispose]();
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
