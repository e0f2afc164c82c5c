import type { EncodedPacket, InputVideoTrack } from 'mediabunny';
import { AVERROR_ENOMEM } from 'node-av/constants';
import { FFmpegError, type Frame } from 'node-av/lib';
import type { ImageSize, PixelRegion, Raster8 } from '../../../models/core/runtime/raster.ts';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { extractRegion } from '../../../models/kernels/raster/crop.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { damagedVideo, getPackets } from '../../../models/media/video/open-input.ts';
import type { FrameShape } from '../../../models/media/video/open-video.ts';
import { AvDecoder, type CodedBytes, withEnd } from './av-decoder.ts';
import { Deinterlacer } from './deinterlacer.ts';
import { FileReader, type FileStream, readSpooled } from './file-reader.ts';
import { alphaFromLuma, PixelConverter } from './pixels.ts';

/** Converter of decoded frames to shown ones: deinterlaced, in RGBA, cropped, with square pixels, upright. */
class FramePainter implements Disposable {
  readonly #shape: FrameShape;
  /** Size of whole pictures with square pixels, and the part of them that is shown. */
  readonly #whole: ImageSize;
  readonly #region: PixelRegion;
  readonly #deinterlacer = new Deinterlacer();
  readonly #pixels = new PixelConverter();

  constructor(shape: FrameShape) {
    this.#shape = shape;
    const { coded, crop, width, height } = shape;
    const [across, down] = [width / crop.width, height / crop.height];
    const [left, top] = [Math.round(crop.left * across), Math.round(crop.top * down)];
    this.#whole = {
      width: Math.max(left + width, Math.round(coded.width * across)),
      height: Math.max(top + height, Math.round(coded.height * down)),
    };
    this.#region = { left, top, width, height };
  }

  /**
   * Paints a frame with its time in microseconds; with null, those that still wait for the one after them.
   * @param mattes frames whose luma is alpha, by their times; those that were used are freed
   */
  *paint(frame: Frame | null, mattes?: Map<bigint, Frame>): Generator<VideoFrame, void, undefined> {
    for (const whole of this.#deinterlacer.push(frame)) {
      const { width, height } = this.#whole;
      const raster = this.#pixels.toRgba(whole, width, height);
      const matte = mattes?.get(whole.pts);
      if (matte) alphaFromLuma(matte, raster);
      matte?.free();
      mattes?.delete(whole.pts);
      yield {
        ...orientRaster(this.#cropped(raster), this.#shape),
        timestampSeconds: Number(whole.pts) / 1e6,
        durationSeconds: Number(whole.duration) / 1e6,
      };
    }
  }

  #cropped(raster: Raster8): Raster8 {
    const isWhole = raster.width === this.#region.width && raster.height === this.#region.height;
    return isWhole ? raster : extractRegion(raster, this.#region);
  }

  [Symbol.dispose](): void {
    this.#deinterlacer[Symbol.dispose]();
    this.#pixels[Symbol.dispose]();
  }
}

/**
 * Decodes the frames of a track as shown, in presentation order, with the times of their packets. What cannot be
 * decoded is left out, but for transparent video.
 * @throws OperationError `unprocessable` when no packet can be decoded, or FFmpeg refuses a frame
 */
export async function* decodeFrames(
  track: InputVideoTrack,
  shape: FrameShape,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  const format = {
    codec: await track.getCodec(),
    description: (await track.getDecoderConfig())?.description,
  };
  using colours = new AvDecoder(format);
  using opacity = (await track.canBeTransparent()) ? new AvDecoder(format) : null;
  using painter = new FramePainter(shape);
  const mattes = new Map<bigint, Frame>();
  const damage = new PacketFaults();
  try {
    for await (const packet of withEnd(getPackets(track))) {
      signal.throwIfAborted();
      const alpha = packet ? getAlpha(packet) : null;
      if (opacity && (alpha || !packet)) keepFrames(opacity.decode(alpha), mattes);
      const decoded = colours.decode(packet);
      const frames = opacity ? decoded : damage.passing(decoded);
      for (const frame of frames) yield* damage.marked(painter.paint(frame, mattes));
    }
    yield* damage.marked(painter.paint(null, mattes));
    damage.throwWithoutFrames();
  } catch (thrown) {
    throw toVideoError(thrown);
  } finally {
    for (const matte of mattes.values()) matte.free();
  }
}

/** Faults of packets: others are decoded all the same. */
class PacketFaults {
  #fault: unknown = null;
  #hasFrames = false;

  /** Yields the frames of a packet. One that is corrupt has none. */
  *passing(frames: Generator<Frame>): Generator<Frame> {
    for (;;) {
      let next: IteratorResult<Frame>;
      try {
        next = frames.next();
      } catch (thrown) {
        this.#fault ??= thrown;
        return;
      }
      if (next.done) return;
      yield next.value;
    }
  }

  /** Marks the frames behind a fault. A decoder may hold earlier ones, so that not only the next one is marked. */
  *marked(frames: Iterable<VideoFrame>): Generator<VideoFrame> {
    for (const frame of frames) {
      yield this.#fault ? { ...frame, followsDamage: true } : frame;
      this.#hasFrames = true;
    }
  }

  /** @throws the first fault when there was no frame */
  throwWithoutFrames(): void {
    if (this.#fault && !this.#hasFrames) throw this.#fault;
  }
}

/**
 * Decodes the frames of a track whose codec mediabunny does not know: FFmpeg reads the file from `path`.
 * @throws OperationError as `decodeFrames`
 */
export async function* decodeFileFrames(
  file: Blob,
  track: InputVideoTrack,
  shape: FrameShape,
  { demuxer, ...place }: { readonly demuxer: string; readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<VideoFrame> {
  const stream = { demuxer, media: 'video', index: track.number - 1 } as const;
  try {
    yield* readSpooled(file, place, (path) => getFrames(path, stream, shape, place.signal));
  } catch (thrown) {
    throw toVideoError(thrown);
  }
}

function* getFrames(
  path: string,
  stream: FileStream,
  shape: FrameShape,
  signal: AbortSignal,
): Generator<VideoFrame> {
  using reader = new FileReader(path, stream);
  using painter = new FramePainter(shape);
  for (const frame of reader.frames()) {
    signal.throwIfAborted();
    frame.pts -= reader.startTime;
    yield* painter.paint(frame);
  }
  yield* painter.paint(null);
}

/** Translates whatever FFmpeg refuses into the file's fault: a retry gives the same. Lack of memory is ours. */
function toVideoError(thrown: unknown): unknown {
  return thrown instanceof FFmpegError && thrown.code !== AVERROR_ENOMEM ? damagedVideo(thrown) : thrown;
}

function getAlpha(packet: EncodedPacket): CodedBytes | null {
  const { microsecondTimestamp, microsecondDuration, sideData } = packet;
  return sideData.alpha ? { data: sideData.alpha, microsecondTimestamp, microsecondDuration } : null;
}

function keepFrames(frames: Iterable<Frame>, into: Map<bigint, Frame>): void {
  for (const frame of frames) {
    const kept = frame.clone();
    if (kept) into.set(frame.pts, kept);
  }
}
