import { type AudioCodec, EncodedPacket, type InputAudioTrack } from 'mediabunny';
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
import { SOUND_SAMPLE_RATE, type SoundCodec } from '../../../models/kernels/video/sound.ts';
import { AvDecoder, layoutOf } from './av-decoder.ts';
import { packetsOf } from './open-input.ts';

/** What is written, as it comes. */
export interface SoundStream {
  readonly codec: AudioCodec;
  readonly decoderConfig: AudioDecoderConfig;
  readonly packets: AsyncGenerator<EncodedPacket>;
}

const ENCODERS = {
  aac: { name: FF_ENCODER_AAC, sampleFormat: AV_SAMPLE_FMT_FLTP, mediaType: 'mp4a.40.2' },
  opus: { name: FF_ENCODER_LIBOPUS, sampleFormat: AV_SAMPLE_FMT_FLT, mediaType: 'opus' },
} as const;

const BITS_PER_SECOND = 160_000n;

/**
 * Sound encoded anew, mono or stereo, at 48 kHz.
 * @throws OperationError `unprocessable` when there is no decoder for it
 */
export async function transcodeSound(track: InputAudioTrack, codec: SoundCodec): Promise<SoundStream> {
  const config = await track.getDecoderConfig();
  const channelCount = await track.getNumberOfChannels();
  const format = {
    codec: await track.getCodec(),
    description: config?.description,
    sampleRate: await track.getSampleRate(),
    channelCount,
  };
  const decoder = new AvDecoder(format);
  const encoder = new SoundEncoder(codec, Math.min(2, channelCount));
  const { decoderConfig } = encoder;
  return { codec, decoderConfig, packets: encodedPackets(track, decoder, encoder) };
}

async function* encodedPackets(
  track: InputAudioTrack,
  decoding: AvDecoder,
  encoding: SoundEncoder,
): AsyncGenerator<EncodedPacket> {
  using decoder = decoding;
  using encoder = encoding;
  for await (const packet of packetsOf(track)) {
    for (const frame of decoder.decode(packet)) yield* encoder.encode(frame);
  }
  for (const frame of decoder.decode(null)) yield* encoder.encode(frame);
  yield* encoder.encode(null);
}

/** Brings sound to the encoder's rate and layout, cuts it into frames of its size, and encodes them. */
class SoundEncoder implements Disposable {
  readonly decoderConfig: AudioDecoderConfig;
  readonly #context = new CodecContext();
  readonly #resampler = new SoftwareResampleContext();
  readonly #packet = new Packet();
  readonly #sampleFormat: AVSampleFormat;
  /** What has been resampled and is waiting for the rest of its frame. */
  #fifo: AudioFifo | null = null;
  /** Of the next sample to be encoded, from the start of the video. */
  #position = 0;

  constructor(codec: SoundCodec, channels: number) {
    const { name, sampleFormat, mediaType } = ENCODERS[codec];
    const encoder = Codec.findEncoderByName(name);
    const context = this.#context;
    this.#sampleFormat = sampleFormat;
    this.#packet.alloc();
    context.allocContext3(encoder);
    context.sampleRate = SOUND_SAMPLE_RATE;
    context.sampleFormat = sampleFormat;
    context.channelLayout = layoutOf(channels);
    context.bitRate = BITS_PER_SECOND;
    context.timeBase = new Rational(1, SOUND_SAMPLE_RATE);
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    FFmpegError.throwIfError(context.open2Sync(encoder), `open ${name}`);
    const description = new Uint8Array(context.extraData ?? []);
    this.decoderConfig = {
      codec: mediaType,
      sampleRate: SOUND_SAMPLE_RATE,
      numberOfChannels: channels,
      description,
    };
  }

  /** @param frame null after the last one */
  *encode(frame: Frame | null): Generator<EncodedPacket, void, undefined> {
    if (frame) this.#open(frame);
    if (!this.#fifo) return;
    this.#resample(this.#fifo, frame);
    const { frameSize } = this.#context;
    while (this.#fifo.size >= frameSize || (!frame && this.#fifo.size > 0)) {
      this.#send(this.#fifo, Math.min(frameSize, this.#fifo.size));
      yield* this.#receive();
    }
    if (frame) return;
    FFmpegError.throwIfError(this.#context.sendFrameSync(null), 'flush');
    yield* this.#receive();
  }

  /** The first frame says what there is to bring to the encoder's rate, and when the sound starts. */
  #open(first: Frame): void {
    if (this.#fifo) return;
    const { channelLayout, frameSize } = this.#context;
    const from = [first.channelLayout, first.format as AVSampleFormat, first.sampleRate] as const;
    const code = this.#resampler.allocSetOpts2(channelLayout, this.#sampleFormat, SOUND_SAMPLE_RATE, ...from);
    FFmpegError.throwIfError(code, 'set up the resampler');
    FFmpegError.throwIfError(this.#resampler.init(), 'open the resampler');
    this.#fifo = new AudioFifo();
    this.#fifo.alloc(this.#sampleFormat, channelLayout.nbChannels, frameSize);
    this.#position = Math.round((Number(first.pts) / 1e6) * SOUND_SAMPLE_RATE);
  }

  #resample(fifo: AudioFifo, frame: Frame | null): void {
    using resampled = this.#emptyFrame(this.#resampler.getOutSamples(frame?.nbSamples ?? 0) + 1);
    FFmpegError.throwIfError(this.#resampler.convertFrame(resampled, frame), 'resample');
    if (resampled.nbSamples > 0) fifo.writeSync(resampled.data ?? [], resampled.nbSamples);
  }

  #send(fifo: AudioFifo, count: number): void {
    using chunk = this.#emptyFrame(count);
    fifo.readSync(chunk.data ?? [], count);
    chunk.pts = BigInt(this.#position);
    this.#position += count;
    FFmpegError.throwIfError(this.#context.sendFrameSync(chunk), 'encode sound');
  }

  #emptyFrame(sampleCount: number): Frame {
    const frame = new Frame();
    frame.alloc();
    frame.nbSamples = sampleCount;
    frame.format = this.#sampleFormat;
    frame.sampleRate = SOUND_SAMPLE_RATE;
    frame.channelLayout = this.#context.channelLayout;
    FFmpegError.throwIfError(frame.allocBuffer(), 'allocate sound');
    return frame;
  }

  *#receive(): Generator<EncodedPacket, void, undefined> {
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      const { data, pts, duration } = this.#packet;
      const seconds = (samples: bigint) => Number(samples) / SOUND_SAMPLE_RATE;
      yield new EncodedPacket(new Uint8Array(data ?? []), 'key', seconds(pts), seconds(duration));
      this.#packet.unref();
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#fifo?.free();
    this.#resampler.free();
    this.#context.freeContext();
  }
}
