import { AV_SAMPLE_FMT_FLTP, FF_ENCODER_LIBMP3LAME } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Packet, Rational } from 'node-av/lib';
import { getFrameCount, type PcmChunk, type PcmFormat } from '../../../models/core/runtime/audio-codec.ts';
import { MP3_BITS_PER_SECOND, MP3_FRAME_SAMPLES } from '../../../models/media/audio/formats/mp3.ts';
import type { Mp3Encoder } from '../../../models/media/audio/write-audio.ts';
import { defaultChannelLayout } from '../ffmpeg/av-decoder.ts';

/** LAME encoder in FFmpeg. */
export class AvMp3Encoder implements Mp3Encoder {
  readonly #context = new CodecContext();
  readonly #packet = new Packet();
  readonly #format: PcmFormat;
  /** Samples of an incomplete frame. */
  readonly #waiting: Float32Array<ArrayBuffer>[];
  #waitingCount = 0;
  #position = 0;

  constructor(format: PcmFormat) {
    const { sampleRate, channelCount } = format;
    this.#format = format;
    this.#waiting = Array.from({ length: channelCount }, () => new Float32Array(MP3_FRAME_SAMPLES));
    const codec = Codec.findEncoderByName(FF_ENCODER_LIBMP3LAME);
    const context = this.#context;
    this.#packet.alloc();
    context.allocContext3(codec);
    context.sampleRate = sampleRate;
    context.sampleFormat = AV_SAMPLE_FMT_FLTP;
    context.channelLayout = defaultChannelLayout(channelCount);
    context.bitRate = BigInt(MP3_BITS_PER_SECOND);
    context.timeBase = new Rational(1, sampleRate);
    FFmpegError.throwIfError(context.open2Sync(codec), 'open libmp3lame');
  }

  async encode(chunk: PcmChunk | null): Promise<Uint8Array<ArrayBuffer>[]> {
    const frames: Uint8Array<ArrayBuffer>[] = [];
    const count = chunk ? getFrameCount(chunk) : 0;
    for (let at = 0; chunk && at < count; ) {
      const part = Math.min(count - at, MP3_FRAME_SAMPLES - this.#waitingCount);
      this.#waiting.forEach((samples, channel) => {
        samples.set((chunk[channel] as Float32Array).subarray(at, at + part), this.#waitingCount);
      });
      at += part;
      this.#waitingCount += part;
      if (this.#waitingCount === MP3_FRAME_SAMPLES) this.#send(frames);
    }
    if (chunk) return frames;
    if (this.#waitingCount > 0) this.#send(frames);
    FFmpegError.throwIfError(this.#context.sendFrameSync(null), 'flush');
    this.#receive(frames);
    return frames;
  }

  #send(frames: Uint8Array<ArrayBuffer>[]): void {
    using frame = new Frame();
    frame.alloc();
    frame.nbSamples = this.#waitingCount;
    frame.format = AV_SAMPLE_FMT_FLTP;
    frame.sampleRate = this.#format.sampleRate;
    frame.channelLayout = this.#context.channelLayout;
    FFmpegError.throwIfError(frame.allocBuffer(), 'allocate audio');
    this.#waiting.forEach((samples, channel) => {
      Buffer.from(samples.buffer, 0, this.#waitingCount * 4).copy(frame.extendedData?.[channel] as Buffer);
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
