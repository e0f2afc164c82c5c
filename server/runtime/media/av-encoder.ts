import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  type AVSampleFormat,
  FF_ENCODER_AAC,
  FF_ENCODER_FLAC,
  FF_ENCODER_LIBMP3LAME,
  FF_ENCODER_LIBOPUS,
  type FFEncoderCodec,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Packet, Rational } from 'node-av/lib';
import { getFrameCount, type PcmChunk, type PcmFormat } from '../../../models/core/runtime/audio-codec.ts';
import { MP3_BITS_PER_SECOND } from '../../../models/media/audio/formats/mp3.ts';
import { type AudioEncoder, int16Samples } from '../../../models/media/audio/write-audio.ts';
import { defaultChannelLayout } from './av-decoder.ts';

/** Encoders: LAME, libopus, and FFmpeg's own. */
const CODECS = {
  mp3: { name: FF_ENCODER_LIBMP3LAME, sampleFormat: AV_SAMPLE_FMT_FLTP, bitRate: MP3_BITS_PER_SECOND },
  flac: { name: FF_ENCODER_FLAC, sampleFormat: AV_SAMPLE_FMT_S16, bitRate: 0 },
  aac: { name: FF_ENCODER_AAC, sampleFormat: AV_SAMPLE_FMT_FLTP, bitRate: 160_000 },
  opus: { name: FF_ENCODER_LIBOPUS, sampleFormat: AV_SAMPLE_FMT_FLT, bitRate: 160_000 },
} as const;

/** Encoded packet, with times in samples. */
export interface AudioPacket {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly pts: bigint;
  readonly duration: bigint;
}

/** Audio encoder in FFmpeg. */
export class AvEncoder implements AudioEncoder {
  readonly #context: CodecContext;
  readonly #packet = new Packet();
  /** Samples of an incomplete frame. */
  readonly #waiting: Float32Array<ArrayBuffer>[];
  #waitingCount = 0;
  #position = 0;

  constructor(codec: keyof typeof CODECS, { sampleRate, channelCount }: PcmFormat) {
    const { name, sampleFormat, bitRate } = CODECS[codec];
    this.#context = openEncoder(name, (context) => {
      context.sampleRate = sampleRate;
      context.sampleFormat = sampleFormat;
      context.channelLayout = defaultChannelLayout(channelCount);
      context.bitRate = BigInt(bitRate);
      context.timeBase = new Rational(1, sampleRate);
      context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    });
    this.#packet.alloc();
    const { frameSize } = this.#context;
    this.#waiting = Array.from({ length: channelCount }, () => new Float32Array(frameSize));
  }

  async encode(chunk: PcmChunk | null): Promise<Uint8Array<ArrayBuffer>[]> {
    return Array.from(this.packets(chunk), ({ data }) => data);
  }

  /** Encodes a chunk, or ends the stream with null. Yields the packets that are complete by then. */
  *packets(chunk: PcmChunk | null): Generator<AudioPacket, void, undefined> {
    const { frameSize } = this.#context;
    const count = chunk ? getFrameCount(chunk) : 0;
    for (let at = 0; chunk && at < count; ) {
      const part = Math.min(count - at, frameSize - this.#waitingCount);
      this.#waiting.forEach((samples, channel) => {
        samples.set(chunk[channel].subarray(at, at + part), this.#waitingCount);
      });
      at += part;
      this.#waitingCount += part;
      if (this.#waitingCount === frameSize) yield* this.#send();
    }
    if (chunk) return;
    if (this.#waitingCount > 0) yield* this.#send();
    FFmpegError.throwIfError(this.#context.sendFrameSync(null), 'flush');
    yield* this.#receive();
  }

  /** Returns what decoders need before the first packet: STREAMINFO of FLAC, for example. */
  streamInfo(): Uint8Array<ArrayBuffer> | null {
    const { extraData } = this.#context;
    return extraData?.length ? new Uint8Array(extraData) : null;
  }

  *#send(): Generator<AudioPacket, void, undefined> {
    const { sampleFormat, sampleRate, channelLayout } = this.#context;
    using frame = new Frame();
    frame.alloc();
    frame.nbSamples = this.#waitingCount;
    frame.format = sampleFormat;
    frame.sampleRate = sampleRate;
    frame.channelLayout = channelLayout;
    FFmpegError.throwIfError(frame.allocBuffer(), 'allocate audio');
    const samples = this.#waiting.map((channel) => channel.subarray(0, this.#waitingCount));
    toPlanes(samples, sampleFormat).forEach(({ buffer, byteOffset, byteLength }, plane) => {
      Buffer.from(buffer, byteOffset, byteLength).copy(frame.extendedData?.[plane] as Buffer);
    });
    frame.pts = BigInt(this.#position);
    this.#position += this.#waitingCount;
    this.#waitingCount = 0;
    FFmpegError.throwIfError(this.#context.sendFrameSync(frame), 'encode audio');
    yield* this.#receive();
  }

  *#receive(): Generator<AudioPacket, void, undefined> {
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      const { data, pts, duration } = this.#packet;
      yield { data: new Uint8Array(data ?? []), pts, duration };
      this.#packet.unref();
    }
  }

  close(): void {
    this.#packet.free();
    this.#context.freeContext();
  }
}

/**
 * Opens an encoder.
 * @param configure sets its context up
 * @throws FFmpegError with nothing left open
 */
export function openEncoder(name: FFEncoderCodec, configure: (context: CodecContext) => void): CodecContext {
  const codec = Codec.findEncoderByName(name);
  const context = new CodecContext();
  try {
    context.allocContext3(codec);
    configure(context);
    FFmpegError.throwIfError(context.open2Sync(codec), `open ${name}`);
    return context;
  } catch (thrown) {
    context.freeContext();
    throw thrown;
  }
}

/** Lays samples out as an encoder takes them: 16 bits or floats interleaved, or floats in a plane for each channel. */
function toPlanes(samples: PcmChunk, format: AVSampleFormat): PcmChunk | [Uint8Array<ArrayBuffer>] {
  if (format === AV_SAMPLE_FMT_S16) return [int16Samples(samples)];
  if (format === AV_SAMPLE_FMT_FLTP) return samples;
  const interleaved = new Float32Array(samples.length * getFrameCount(samples));
  samples.forEach((channel, place) => {
    for (let at = 0; at < channel.length; at++) interleaved[at * samples.length + place] = channel[at];
  });
  return [interleaved];
}
