import { EncodedPacket } from 'mediabunny';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  type AVSampleFormat,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBOPUS,
} from 'node-av/constants';
import {
  AudioFifo,
  Codec,
  CodecContext,
  FFmpegError,
  Frame,
  Packet,
  Rational,
  SoftwareResampleContext,
} from 'node-av/lib';
import { type DecodedAudio, getFrameCount, type PcmChunk } from '../../../models/core/runtime/audio-codec.ts';
import {
  AUDIO_SAMPLE_RATE,
  type AudioTargetCodec,
  type AudioTranscoder,
  packetFeed,
} from '../../../models/media/video/audio-track.ts';
import { defaultChannelLayout } from './av-decoder.ts';

const ENCODERS = {
  aac: { name: FF_ENCODER_AAC, sampleFormat: AV_SAMPLE_FMT_FLTP, mediaType: 'mp4a.40.2' },
  opus: { name: FF_ENCODER_LIBOPUS, sampleFormat: AV_SAMPLE_FMT_FLT, mediaType: 'opus' },
} as const;

const BITS_PER_SECOND = 160_000n;

/** Encodes audio with FFmpeg's codecs. */
export const transcodeAudio: AudioTranscoder = async (audio, [codec = 'opus'], format) => {
  const encoder = new AudioEncoder(codec, audio.channelCount);
  const { decoderConfig } = encoder;
  return {
    codec,
    ...(await packetFeed({ codec, decoderConfig, packets: encodedPackets(audio, encoder) }, format)),
  };
};

async function* encodedPackets(audio: DecodedAudio, encoding: AudioEncoder): AsyncGenerator<EncodedPacket> {
  using encoder = encoding;
  for await (const chunk of audio.chunks()) yield* encoder.encode(chunk);
  yield* encoder.encode(null);
}

/** Cuts samples into frames of the encoder's format, and encodes them. */
class AudioEncoder implements Disposable {
  readonly decoderConfig: AudioDecoderConfig;
  readonly #context = new CodecContext();
  readonly #converter = new SoftwareResampleContext();
  readonly #packet = new Packet();
  readonly #sampleFormat: AVSampleFormat;
  /** Samples that wait for the rest of their frame. */
  readonly #fifo = new AudioFifo();
  /** Position of the next sample to encode, from the start of the video. */
  #position = 0;

  constructor(codec: AudioTargetCodec, channels: number) {
    const { name, sampleFormat, mediaType } = ENCODERS[codec];
    const encoder = Codec.findEncoderByName(name);
    const context = this.#context;
    this.#sampleFormat = sampleFormat;
    this.#packet.alloc();
    context.allocContext3(encoder);
    context.sampleRate = AUDIO_SAMPLE_RATE;
    context.sampleFormat = sampleFormat;
    context.channelLayout = defaultChannelLayout(channels);
    context.bitRate = BITS_PER_SECOND;
    context.timeBase = new Rational(1, AUDIO_SAMPLE_RATE);
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    FFmpegError.throwIfError(context.open2Sync(encoder), `open ${name}`);
    const layout = context.channelLayout;
    const [to, from] = [sampleFormat, AV_SAMPLE_FMT_FLTP];
    const code = this.#converter.allocSetOpts2(
      layout,
      to,
      AUDIO_SAMPLE_RATE,
      layout,
      from,
      AUDIO_SAMPLE_RATE,
    );
    FFmpegError.throwIfError(code, 'set up the converter');
    FFmpegError.throwIfError(this.#converter.init(), 'open the converter');
    this.#fifo.alloc(sampleFormat, channels, context.frameSize);
    const description = new Uint8Array(context.extraData ?? []);
    this.decoderConfig = {
      codec: mediaType,
      sampleRate: AUDIO_SAMPLE_RATE,
      numberOfChannels: channels,
      description,
    };
  }

  /**
   * Encodes samples at `AUDIO_SAMPLE_RATE`.
   * @param chunk null after the last one
   */
  *encode(chunk: PcmChunk | null): Generator<EncodedPacket, void, undefined> {
    if (chunk) this.#add(chunk);
    const { frameSize } = this.#context;
    while (this.#fifo.size >= frameSize || (!chunk && this.#fifo.size > 0)) {
      this.#send(Math.min(frameSize, this.#fifo.size));
      yield* this.#receive();
    }
    if (chunk) return;
    FFmpegError.throwIfError(this.#context.sendFrameSync(null), 'flush');
    yield* this.#receive();
  }

  /** Converts samples to the encoder's format, and appends them to those that wait. */
  #add(chunk: PcmChunk): void {
    using planar = this.#emptyFrame(getFrameCount(chunk), AV_SAMPLE_FMT_FLTP);
    chunk.forEach((samples, channel) => {
      const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
      bytes.copy(planar.extendedData?.[channel] as Buffer);
    });
    using converted = this.#emptyFrame(getFrameCount(chunk) + 1, this.#sampleFormat);
    FFmpegError.throwIfError(this.#converter.convertFrame(converted, planar), 'convert samples');
    if (converted.nbSamples > 0) this.#fifo.writeSync(converted.data ?? [], converted.nbSamples);
  }

  #send(count: number): void {
    using chunk = this.#emptyFrame(count, this.#sampleFormat);
    this.#fifo.readSync(chunk.data ?? [], count);
    chunk.pts = BigInt(this.#position);
    this.#position += count;
    FFmpegError.throwIfError(this.#context.sendFrameSync(chunk), 'encode audio');
  }

  #emptyFrame(sampleCount: number, format: AVSampleFormat): Frame {
    const frame = new Frame();
    frame.alloc();
    frame.nbSamples = sampleCount;
    frame.format = format;
    frame.sampleRate = AUDIO_SAMPLE_RATE;
    frame.channelLayout = this.#context.channelLayout;
    FFmpegError.throwIfError(frame.allocBuffer(), 'allocate audio');
    return frame;
  }

  *#receive(): Generator<EncodedPacket, void, undefined> {
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      const { data, pts, duration } = this.#packet;
      const seconds = (samples: bigint) => Number(samples) / AUDIO_SAMPLE_RATE;
      yield new EncodedPacket(new Uint8Array(data ?? []), 'key', seconds(pts), seconds(duration));
      this.#packet.unref();
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#fifo.free();
    this.#converter.free();
    this.#context.freeContext();
  }
}
