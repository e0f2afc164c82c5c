import {
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  FF_ENCODER_FLAC,
  FF_ENCODER_LIBMP3LAME,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Packet, Rational } from 'node-av/lib';
import { getFrameCount, type PcmChunk, type PcmFormat } from '../../../models/core/runtime/audio-codec.ts';
import { MP3_BITS_PER_SECOND } from '../../../models/media/audio/formats/mp3.ts';
import {
  type AudioEncoder,
  type EncodedCodec,
  int16Samples,
} from '../../../models/media/audio/write-audio.ts';
import { defaultChannelLayout } from './av-decoder.ts';

const CODECS = {
  mp3: { name: FF_ENCODER_LIBMP3LAME, sampleFormat: AV_SAMPLE_FMT_FLTP, bitRate: MP3_BITS_PER_SECOND },
  flac: { name: FF_ENCODER_FLAC, sampleFormat: AV_SAMPLE_FMT_S16, bitRate: 0 },
} as const;

/** Encoder in FFmpeg: LAME, or its own of FLAC. */
export class AvEncoder implements AudioEncoder {
  readonly #context = new CodecContext();
  readonly #packet = new Packet();
  readonly #codec: EncodedCodec;
  readonly #format: PcmFormat;
  /** Samples of an incomplete frame. */
  readonly #waiting: Float32Array<ArrayBuffer>[];
  #waitingCount = 0;
  #position = 0;

  constructor(codec: EncodedCodec, format: PcmFormat) {
    const { sampleRate, channelCount } = format;
    const { name, sampleFormat, bitRate } = CODECS[codec];
    this.#codec = codec;
    this.#format = format;
    const encoder = Codec.findEncoderByName(name);
    const context = this.#context;
    this.#packet.alloc();
    context.allocContext3(encoder);
    context.sampleRate = sampleRate;
    context.sampleFormat = sampleFormat;
    context.channelLayout = defaultChannelLayout(channelCount);
    context.bitRate = BigInt(bitRate);
    context.timeBase = new Rational(1, sampleRate);
    FFmpegError.throwIfError(context.open2Sync(encoder), `open ${name}`);
    this.#waiting = Array.from({ length: channelCount }, () => new Float32Array(context.frameSize));
  }

  async encode(chunk: PcmChunk | null): Promise<Uint8Array<ArrayBuffer>[]> {
    const frames: Uint8Array<ArrayBuffer>[] = [];
    const count = chunk ? getFrameCount(chunk) : 0;
    for (let at = 0; chunk && at < count; ) {
      const part = Math.min(count - at, this.#context.frameSize - this.#waitingCount);
      this.#waiting.forEach((samples, channel) => {
        samples.set(chunk[channel].subarray(at, at + part), this.#waitingCount);
      });
      at += part;
      this.#waitingCount += part;
      if (this.#waitingCount === this.#context.frameSize) this.#send(frames);
    }
    if (chunk) return frames;
    if (this.#waitingCount > 0) this.#send(frames);
    FFmpegError.throwIfError(this.#context.sendFrameSync(null), 'flush');
    this.#receive(frames);
    return frames;
  }

  streamInfo(): Uint8Array<ArrayBuffer> | null {
    const { extraData } = this.#context;
    return this.#codec === 'flac' && extraData ? new Uint8Array(extraData) : null;
  }

  #send(frames: Uint8Array<ArrayBuffer>[]): void {
    using frame = new Frame();
    frame.alloc();
    frame.nbSamples = this.#waitingCount;
    frame.format = this.#context.sampleFormat;
    frame.sampleRate = this.#format.sampleRate;
    frame.channelLayout = this.#context.channelLayout;
    FFmpegError.throwIfError(frame.allocBuffer(), 'allocate audio');
    const samples = this.#waiting.map((channel) => channel.subarray(0, this.#waitingCount));
    const planes = this.#codec === 'flac' ? [int16Samples(samples)] : samples;
    planes.forEach(({ buffer, byteOffset, byteLength }, plane) => {
      Buffer.from(buffer, byteOffset, byteLength).copy(frame.extendedData?.[plane] as Buffer);
    });
    frame.pts = BigInt(this.#position);
    this.#position += this.#waitingCount;
    this.#waitingCount = 0;
    FFmpegError.throwIfError(this.#context.sendFrameSync(frame), 'encode audio');
    this.#receive(frames);
  }

  #receive(frames: Uint8Array<ArrayBuffer>[]): void {
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      frames.push(new Uint8Array(this.#packet.data ?? []));
      this.#packet.unref();
    }
  }

  close(): void {
    this.#packet.free();
    this.#context.freeContext();
  }
}
