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
import { type CodecContext, FFmpegError, type Frame, Packet, Rational } from 'node-av/lib';
import type {
  VideoEncodeOptions,
  VideoFormat,
  VideoFrame,
} from '../../../models/core/runtime/video-codec.ts';
import { I420_COLOURS } from '../../../models/kernels/colour/i420.ts';
import { encoderRate } from '../../../models/kernels/track-clock.ts';
import type { EncodedFrame, PlaneEncoder } from '../../../models/media/video/mux-video.ts';
import { MICROSECONDS } from './av-decoder.ts';
import { openEncoder } from './av-encoder.ts';
import { frameOfPlanes } from './pixels.ts';

const KEY_FRAME_EVERY = 60;
const THREADS = 2;

interface EncoderChoice {
  /** Name in WebCodecs' registry: high profile at a level that fits all output; the stream itself says more. */
  readonly codec: string;
  readonly name: typeof FF_ENCODER_LIBX264 | typeof FF_ENCODER_LIBVPX_VP9;
  readonly options: Readonly<Record<string, string>>;
}

/** x264's slower presets save a tenth and take twice as long; the rates show no visible loss. */
const CHOICES: Readonly<Record<VideoFormat, EncoderChoice>> = {
  mp4: {
    codec: 'avc1.640033',
    name: FF_ENCODER_LIBX264,
    options: { preset: 'veryfast', crf: '18', profile: 'high' },
  },
  webm: {
    codec: 'vp09.00.51.08.01.01.01.01.00',
    name: FF_ENCODER_LIBVPX_VP9,
    // Each packet has to contain one frame, so that colour and alpha packets come in pairs.
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
export class AvVideoEncoder implements PlaneEncoder {
  readonly #decoderConfig: VideoDecoderConfig;
  readonly #context: CodecContext;
  readonly #packet = new Packet();
  /** By time, since encoders return frames out of order and some forget their durations. */
  readonly #durations = new Map<bigint, number>();

  /** @param first has the size of all frames */
  constructor(
    { format, frameRate }: Pick<VideoEncodeOptions, 'format' | 'frameRate'>,
    { width, height }: VideoFrame,
  ) {
    const { codec: coded, name, options } = CHOICES[format];
    this.#decoderConfig = { codec: coded, codedWidth: width, codedHeight: height, colorSpace: I420_COLOURS };
    this.#context = openEncoder(name, (context) => {
      context.width = width;
      context.height = height;
      context.timeBase = MICROSECONDS;
      // x264 derives the level from it.
      context.framerate = new Rational(encoderRate(frameRate), 1);
      context.gopSize = KEY_FRAME_EVERY;
      context.threadCount = THREADS;
      context.pixelFormat = AV_PIX_FMT_YUV420P;
      context.colorRange = AVCOL_RANGE_MPEG;
      context.colorSpace = AVCOL_SPC_BT709;
      context.colorPrimaries = AVCOL_PRI_BT709;
      context.colorTrc = AVCOL_TRC_BT709;
      // Options are set one by one: a dictionary passed to open2 corrupts the heap.
      for (const [option, value] of Object.entries(options)) {
        const code = context.setOption(option, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
        FFmpegError.throwIfError(code, option);
      }
    });
    this.#packet.alloc();
  }

  async encode(planes: Uint8Array<ArrayBuffer>, shown: VideoFrame): Promise<readonly EncodedFrame[]> {
    using frame = frameOfPlanes(planes, shown.width, shown.height);
    frame.pts = BigInt(Math.round(shown.timestampSeconds * 1e6));
    frame.timeBase = MICROSECONDS;
    this.#durations.set(frame.pts, shown.durationSeconds);
    return this.#send(frame);
  }

  async finish(): Promise<readonly EncodedFrame[]> {
    return this.#send(null);
  }

  close(): void {
    this.#packet.free();
    this.#context.freeContext();
  }

  #send(frame: Frame | null): readonly EncodedFrame[] {
    FFmpegError.throwIfError(this.#context.sendFrameSync(frame), 'send frame');
    const encoded: EncodedFrame[] = [];
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      encoded.push({ packet: this.#take(), decoderConfig: this.#decoderConfig });
      this.#packet.unref();
    }
    return encoded;
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
}
