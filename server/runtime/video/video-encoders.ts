import { EncodedPacket } from 'mediabunny';
import {
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, type Frame, Packet, Rational } from 'node-av/lib';
import { encoderRate } from '../../../models/kernels/video/frame-rate.ts';
import type { VideoEncodeOptions, VideoFormat, VideoFrame } from '../../../models/video-codec.ts';
import { MICROSECONDS } from './av-decoder.ts';

const KEY_FRAME_EVERY = 60;
const THREADS = 2;

interface EncoderChoice {
  readonly name: typeof FF_ENCODER_LIBX264 | typeof FF_ENCODER_LIBVPX_VP9;
  readonly options: Readonly<Record<string, string>>;
}

/** Of x264's presets the slower ones save a tenth and take twice as long; the rates are ones at which no loss is seen. */
const CHOICES: Readonly<Record<VideoFormat, EncoderChoice>> = {
  mp4: { name: FF_ENCODER_LIBX264, options: { preset: 'veryfast', crf: '18', profile: 'high' } },
  webm: {
    name: FF_ENCODER_LIBVPX_VP9,
    // Each packet has to show one frame, so that those of colour and of alpha come in pairs.
    options: {
      deadline: 'good',
      'cpu-used': '5',
      crf: '22',
      b: '0',
      'row-mt': '1',
      'auto-alt-ref': '0',
      'lag-in-frames': '0',
    },
  },
};

/** One of FFmpeg's video encoders, frame by frame. */
export class AvVideoEncoder implements Disposable {
  readonly #context = new CodecContext();
  readonly #packet = new Packet();
  /** By time, since encoders give frames out of order and some forget how long each lasts. */
  readonly #durations = new Map<bigint, number>();

  /** @param first the size of all frames */
  constructor(
    { format, frameRate }: Pick<VideoEncodeOptions, 'format' | 'frameRate'>,
    { width, height }: VideoFrame,
  ) {
    const { name, options } = CHOICES[format];
    const codec = Codec.findEncoderByName(name);
    const context = this.#context;
    this.#packet.alloc();
    context.allocContext3(codec);
    context.width = width;
    context.height = height;
    context.timeBase = MICROSECONDS;
    // By it x264 tells the level.
    context.framerate = new Rational(encoderRate(frameRate), 1);
    context.gopSize = KEY_FRAME_EVERY;
    context.threadCount = THREADS;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.colorRange = AVCOL_RANGE_MPEG;
    context.colorSpace = AVCOL_SPC_BT709;
    context.colorPrimaries = AVCOL_PRI_BT709;
    context.colorTrc = AVCOL_TRC_BT709;
    // Options go in one by one: a dictionary given to open2 corrupts the heap.
    for (const [option, value] of Object.entries(options)) {
      const code = context.setOption(option, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
      FFmpegError.throwIfError(code, option);
    }
    FFmpegError.throwIfError(context.open2Sync(codec), `open ${name}`);
  }

  /** The packets that come out after a frame, which is freed, or with null after the last one. */
  *encode(
    frame: Frame | null,
    timestampSeconds = 0,
    durationSeconds = 0,
  ): Generator<EncodedPacket, void, undefined> {
    if (frame) {
      frame.pts = BigInt(Math.round(timestampSeconds * 1e6));
      frame.timeBase = MICROSECONDS;
      this.#durations.set(frame.pts, durationSeconds);
    }
    FFmpegError.throwIfError(this.#context.sendFrameSync(frame), 'send frame');
    frame?.free();
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      yield this.#take();
      this.#packet.unref();
    }
  }

  #take(): EncodedPacket {
    const { pts, data, isKeyframe } = this.#packet;
    const seconds = this.#durations.get(pts) ?? 0;
    this.#durations.delete(pts);
    return new EncodedPacket(
      new Uint8Array(data ?? []),
      isKeyframe ? 'key' : 'delta',
      Number(pts) / 1e6,
      seconds,
    );
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#context.freeContext();
  }
}
