import type { AudioCodec, VideoCodec } from 'mediabunny';
import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_DTS,
  AV_CODEC_ID_EAC3,
  AV_CODEC_ID_FLAC,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_PCM_ALAW,
  AV_CODEC_ID_PCM_F32LE,
  AV_CODEC_ID_PCM_MULAW,
  AV_CODEC_ID_PCM_S16BE,
  AV_CODEC_ID_PCM_S16LE,
  AV_CODEC_ID_PCM_S24LE,
  AV_CODEC_ID_PCM_S32LE,
  AV_CODEC_ID_PCM_U8,
  AV_CODEC_ID_PRORES,
  AV_CODEC_ID_VORBIS,
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
  AV_LOG_QUIET,
  AV_OPT_TYPE_STRING,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { type ChannelLayout, Codec, CodecContext, Frame, Log, Packet, Rational } from 'node-av/lib';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { usualMask } from '../../../models/kernels/audio/mix-channels.ts';
import { REFUSE_WRONG_CHECKSUMS } from '../../../models/media/audio/formats/ffmpeg-demuxers.ts';

// Errors come back as codes; FFmpeg's own lines would only clutter the process's log.
Log.setLevel(AV_LOG_QUIET);

const CODEC_IDS = {
  avc: AV_CODEC_ID_H264,
  hevc: AV_CODEC_ID_HEVC,
  vp8: AV_CODEC_ID_VP8,
  vp9: AV_CODEC_ID_VP9,
  av1: AV_CODEC_ID_AV1,
  prores: AV_CODEC_ID_PRORES,
  aac: AV_CODEC_ID_AAC,
  mp3: AV_CODEC_ID_MP3,
  opus: AV_CODEC_ID_OPUS,
  vorbis: AV_CODEC_ID_VORBIS,
  flac: AV_CODEC_ID_FLAC,
  ac3: AV_CODEC_ID_AC3,
  eac3: AV_CODEC_ID_EAC3,
  dts: AV_CODEC_ID_DTS,
  'pcm-s16': AV_CODEC_ID_PCM_S16LE,
  'pcm-s16be': AV_CODEC_ID_PCM_S16BE,
  'pcm-s24': AV_CODEC_ID_PCM_S24LE,
  'pcm-s32': AV_CODEC_ID_PCM_S32LE,
  'pcm-f32': AV_CODEC_ID_PCM_F32LE,
  'pcm-u8': AV_CODEC_ID_PCM_U8,
  ulaw: AV_CODEC_ID_PCM_MULAW,
  alaw: AV_CODEC_ID_PCM_ALAW,
} as const satisfies Partial<Record<VideoCodec | AudioCodec, unknown>>;

/** Times are in millionths of a second. */
export const MICROSECONDS = new Rational(1, 1_000_000);

const THREADS = 2;

export interface StreamFormat {
  readonly codec: string | null;
  /** Codec set-up data from the container. */
  readonly description: ArrayBufferView | ArrayBufferLike | undefined;
  readonly sampleRate?: number;
  readonly channelCount?: number;
}

export interface CodedBytes {
  readonly data: Uint8Array;
  readonly microsecondTimestamp: number;
  readonly microsecondDuration: number;
}

/** One of FFmpeg's decoders, packet by packet. */
export class AvDecoder implements Disposable {
  readonly #context = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();

  /** @throws OperationError `unprocessable` when there is no such decoder or it cannot be set up */
  constructor({ codec: name, description, sampleRate, channelCount }: StreamFormat) {
    const id = isKnown(name) ? CODEC_IDS[name] : null;
    const codec = id === null ? null : Codec.findDecoder(id);
    if (!codec)
      throw new OperationError('unprocessable', `The file is encoded as ${name ?? 'an unknown codec'}.`);
    this.#packet.alloc();
    this.#frame.alloc();
    this.#context.allocContext3(codec);
    if (description) this.#context.extraData = getBuffer(description);
    if (sampleRate) this.#context.sampleRate = sampleRate;
    if (channelCount) this.#context.channelLayout = defaultChannelLayout(channelCount);
    this.#context.pktTimebase = MICROSECONDS;
    this.#context.threadCount = THREADS;
    // Its frames have checksums, by which damage is told from noise.
    if (name === 'flac') this.#context.setOption('err_detect', REFUSE_WRONG_CHECKSUMS, AV_OPT_TYPE_STRING);
    if (this.#context.open2Sync(codec) < 0) {
      this[Symbol.dispose]();
      throw new OperationError('unprocessable', `The file's ${name} configuration is damaged.`);
    }
  }

  /**
   * Decodes a packet, or flushes with null. Yields the resulting frames, each valid until the next.
   * @throws OperationError `unprocessable` when the packet is corrupt
   */
  *decode(coded: CodedBytes | null): Generator<Frame, void, undefined> {
    if (coded) this.#fill(coded);
    throwDamaged(this.#context.sendPacketSync(coded && this.#packet), coded);
    for (;;) {
      const code = this.#context.receiveFrameSync(this.#frame);
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      throwDamaged(code, coded);
      yield this.#frame;
      this.#frame.unref();
    }
  }

  #fill({ data, microsecondTimestamp, microsecondDuration }: CodedBytes): void {
    this.#packet.unref();
    this.#packet.data = getBuffer(data);
    this.#packet.pts = BigInt(microsecondTimestamp);
    this.#packet.duration = BigInt(microsecondDuration);
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#frame.free();
    this.#context.freeContext();
  }
}

/** Returns the usual layout of a number of channels, for streams that do not state theirs. */
export function defaultChannelLayout(channelCount: number): ChannelLayout {
  const mask = BigInt(usualMask(channelCount));
  const order = mask === 0n ? AV_CHANNEL_ORDER_UNSPEC : AV_CHANNEL_ORDER_NATIVE;
  return { nbChannels: channelCount, order, mask };
}

function isKnown(codec: string | null): codec is keyof typeof CODEC_IDS {
  return codec !== null && Object.hasOwn(CODEC_IDS, codec);
}

function throwDamaged(code: number, at: CodedBytes | null): void {
  if (code >= 0 || code === AVERROR_EOF) return;
  const place = at ? `at ${(at.microsecondTimestamp / 1e6).toFixed(1)} s` : 'at its end';
  throw new OperationError('unprocessable', `The video is damaged ${place}. Export it again.`);
}

function getBuffer(source: ArrayBufferView | ArrayBufferLike): Buffer {
  return ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
}

/** Yields all packets, then null, which makes a decoder return what it holds. */
export async function* withEnd<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item | null> {
  yield* items;
  yield null;
}
