import { EncodedPacket, type InputAudioTrack } from 'mediabunny';
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
import {
  AUDIO_SAMPLE_RATE,
  type AudioTargetCodec,
  type AudioTranscoder,
  packetFeed,
} from '../../../models/media/audio-track.ts';
import { packetsOf } from '../../../models/media/open-input.ts';
import { AvDecoder, defaultChannelLayout } from './av-decoder.ts';

const ENCODERS = {
  aac: { name: FF_ENCODER_AAC, sampleFormat: AV_SAMPLE_FMT_FLTP, mediaType: 'mp4a.40.2' },
  opus: { name: FF_ENCODER_LIBOPUS, sampleFormat: AV_SAMPLE_FMT_FLT, mediaType: 'opus' },
} as const;

const BITS_PER_SECOND = 160_000n;

/** Re-encodes audio with FFmpeg's codecs. @throws OperationError `unprocessable` when there is no decoder for it */
export const transcodeAudio: AudioTranscoder = async (track, [codec = 'opus'], format) => {
  const config = await track.getDecoderConfig();
  const channelCount = await track.getNumberOfChannels();
  const decoder = new AvDecoder({
    codec: await track.getCodec(),
    description: config?.description,
    sampleRate: await track.getSampleRate(),
    channelCount,
  });
  const encoder = new AudioEncoder(codec, Math.min(2, channelCount));
  const { decoderConfig } = encoder;
  const packets = encodedPackets(track, decoder, encoder);
  return { codec, ...(await packetFeed({ codec, decoderConfig, packets }, format)) };
};

async function* encodedPackets(
  track: InputAudioTrack,
  decoding: AvDecoder,
  encoding: AudioEncoder,
): AsyncGenerator<EncodedPacket> {
  using decoder = decoding;
  using encoder = encoding;
  for await (const packet of packetsOf(track)) {
    for (const frame of decoder.decode(packet)) yield* encoder.encode(frame);
  }
  for (const frame of decoder.decode(null)) yield* encoder.encode(frame);
  yield* encoder.encode(null);
}

/** Resamples audio to the encoder's rate and layout, cuts it into frames, and encodes them. */
class AudioEncoder implements Disposable {
  readonly decoderConfig: AudioDecoderConfig;
  readonly #context = new CodecContext();
  readonly #resampler = new SoftwareResampleContext();
  readonly #packet = new Packet();
  readonly #sampleFormat: AVSampleFormat;
  /** Resampled samples that wait for the rest of their frame. */
  #fifo: AudioFifo | null = null;
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
    const description = new Uint8Array(context.extraData ?? []);
    this.decoderConfig = {
      codec: mediaType,
      sampleRate: AUDIO_SAMPLE_RATE,
      numberOfChannels: channels,
      description,
    };
  }

  /**
   * Encodes a frame.
   * @param frame null after the last one
   */
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

  /** Opens the encoder: the first frame determines its size and the start of the audio. */
  #open(first: Frame): void {
    if (this.#fifo) return;
    const { channelLayout, frameSize } = this.#context;
    const from = [first.channelLayout, first.format as AVSampleFormat, first.sampleRate] as const;
    const code = this.#resampler.allocSetOpts2(channelLayout, this.#sampleFormat, AUDIO_SAMPLE_RATE, ...from);
    FFmpegError.throwIfError(code, 'set up the resampler');
    FFmpegError.throwIfError(this.#resampler.init(), 'open the resampler');
    this.#fifo = new AudioFifo();
    this.#fifo.alloc(this.#sampleFormat, channelLayout.nbChannels, frameSize);
    this.#position = Math.round((Number(first.pts) / 1e6) * AUDIO_SAMPLE_RATE);
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
    FFmpegError.throwIfError(this.#context.sendFrameSync(chunk), 'encode audio');
  }

  #emptyFrame(sampleCount: number): Frame {
    const frame = new Frame();
    frame.alloc();
    frame.nbSamples = sampleCount;
    frame.format = this.#sampleFormat;
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
    this.#fifo?.free();
    this.#resampler.free();
    this.#context.freeContext();
  }
}
