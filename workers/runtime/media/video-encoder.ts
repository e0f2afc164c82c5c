import { EncodedPacket } from 'mediabunny';
import { getMessage, OperationError } from '../../../models/core/operation/errors.ts';
import type { VideoEncodeOptions, VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { I420_COLOURS } from '../../../models/kernels/colour/i420.ts';
import { encoderRate } from '../../../models/kernels/track-clock.ts';
import type { EncodedFrame, PlaneEncoder } from '../../../models/media/video/mux-video.ts';

/** Limit on frames queued in the encoder. */
const QUEUE_MAX = 4;
const KEY_FRAME_EVERY = 60;
/** Bit rate without visible loss, for most videos. */
const BITS_PER_PIXEL = 0.15;
const BITS_PER_SECOND_MIN = 200_000;

type CodingOptions = Pick<VideoEncodeOptions, 'format' | 'frameRate'>;

/** One of the browser's encoders, frame by frame. */
export class WebVideoEncoder implements PlaneEncoder {
  readonly #encoder: VideoEncoder;
  #encoded: EncodedFrame[] = [];
  #fault: unknown = null;
  #frameCount = 0;

  private constructor(config: VideoEncoderConfig) {
    this.#encoder = new VideoEncoder({
      output: (chunk, metadata) =>
        this.#encoded.push({
          packet: EncodedPacket.fromEncodedChunk(chunk),
          decoderConfig: metadata?.decoderConfig,
        }),
      error: (fault) => {
        this.#fault = fault;
      },
    });
    this.#encoder.configure(config);
  }

  /**
   * Opens an encoder.
   * @param first has the size of all frames
   * @throws OperationError `unavailable` when this browser has no such encoder
   */
  static async open(options: CodingOptions, first: VideoFrame): Promise<WebVideoEncoder> {
    const config = getConfig(options, first);
    const isThere =
      typeof VideoEncoder !== 'undefined' &&
      (await VideoEncoder.isConfigSupported(config)).supported === true;
    if (!isThere) {
      const codec = options.format === 'mp4' ? 'H.264' : 'VP9';
      throw new OperationError(
        'unavailable',
        `This browser cannot encode ${codec} at ${first.width} x ${first.height}. Choose another format, or run it on the server.`,
      );
    }
    return new WebVideoEncoder(config);
  }

  /**
   * Encodes a frame.
   * @param planes of `toI420`
   */
  async encode(planes: Uint8Array<ArrayBuffer>, frame: VideoFrame): Promise<readonly EncodedFrame[]> {
    this.#assertWorks();
    const picture = new globalThis.VideoFrame(planes, {
      format: 'I420',
      codedWidth: frame.width,
      codedHeight: frame.height,
      timestamp: Math.round(frame.timestampSeconds * 1e6),
      duration: Math.round(frame.durationSeconds * 1e6),
      colorSpace: I420_COLOURS,
    });
    this.#encoder.encode(picture, { keyFrame: this.#frameCount++ % KEY_FRAME_EVERY === 0 });
    picture.close();
    while (this.#encoder.encodeQueueSize > QUEUE_MAX && !this.#fault) await this.#dequeued();
    return this.#take();
  }

  async finish(): Promise<readonly EncodedFrame[]> {
    // An encoder that failed is closed: its own error says more than that of the flush.
    await this.#encoder.flush().catch((thrown: unknown) => {
      this.#fault ??= thrown;
    });
    return this.#take();
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }

  #dequeued(): Promise<unknown> {
    return new Promise((resolve) => this.#encoder.addEventListener('dequeue', resolve, { once: true }));
  }

  /** @throws OperationError `unavailable` once the encoder has failed, as it may between two frames */
  #assertWorks(): void {
    if (!this.#fault) return;
    const reason = getMessage(this.#fault);
    throw new OperationError(
      'unavailable',
      `Encoding failed on this device: ${reason}. Run it on the server.`,
      { kind: 'not_written' },
    );
  }

  #take(): readonly EncodedFrame[] {
    this.#assertWorks();
    const encoded = this.#encoded;
    this.#encoded = [];
    return encoded;
  }
}

function getConfig({ format, frameRate }: CodingOptions, { width, height }: VideoFrame): VideoEncoderConfig {
  const framerate = encoderRate(frameRate);
  return {
    codec: format === 'mp4' ? `avc1.6400${avcLevel(width, height)}` : 'vp09.00.51.08',
    width,
    height,
    framerate,
    bitrate: Math.max(BITS_PER_SECOND_MIN, Math.round(width * height * framerate * BITS_PER_PIXEL)),
    latencyMode: 'quality',
    ...(format === 'mp4' ? { avc: { format: 'avc' } } : {}),
  };
}

/** Returns the H.264 level, 4.0, 5.2 or 6.2, by the macroblocks of a frame: ITU-T H.264, table A-1. */
function avcLevel(width: number, height: number): string {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  if (blocks <= 8_192) return '28';
  return blocks <= 36_864 ? '34' : '3e';
}
