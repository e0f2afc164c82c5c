import {
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_RGBA64LE,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_RANGE_UNSPECIFIED,
  AVCOL_SPC_BT709,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_BT709,
  type AVPixelFormat,
} from 'node-av/constants';
import { FFmpegError, Frame, SoftwareScaleContext } from 'node-av/lib';
import type { ImageSize, Raster, Raster8 } from '../../../models/core/runtime/raster.ts';
import { HIGH_DEFINITION_ROWS } from '../../../models/kernels/colour/i420.ts';

/** Converter by libswscale, which follows the frames' colour tags. */
export class PixelConverter implements Disposable {
  readonly #scaler = new SoftwareScaleContext();

  constructor() {
    this.#scaler.allocContext();
  }

  /** Converts a decoded frame to RGBA at a size: square pixels, full range, opaque alpha. */
  toRgba(frame: Frame, width: number, height: number): Raster8 {
    return { width, height, data: this.#convert(frame, { width, height }, AV_PIX_FMT_RGBA) };
  }

  /** Converts as `toRgba` does, to 16 bits per sample. */
  toDeepRgba(frame: Frame, width: number, height: number): Raster {
    const bytes = this.#convert(frame, { width, height }, AV_PIX_FMT_RGBA64LE);
    return { width, height, data: new Uint16Array(bytes.buffer) };
  }

  #convert(frame: Frame, { width, height }: ImageSize, format: AVPixelFormat): Uint8Array<ArrayBuffer> {
    if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) {
      frame.colorSpace = frame.height >= HIGH_DEFINITION_ROWS ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    }
    if (frame.colorRange === AVCOL_RANGE_UNSPECIFIED) frame.colorRange = AVCOL_RANGE_MPEG;
    using target = emptyFrame(width, height, format);
    target.colorSpace = AVCOL_SPC_RGB;
    target.colorRange = AVCOL_RANGE_JPEG;
    // The same on both sides, so that the samples keep their curve.
    target.colorPrimaries = frame.colorPrimaries;
    target.colorTrc = frame.colorTrc;
    FFmpegError.throwIfError(this.#scaler.scaleFrameSync(target, frame), 'convert to RGBA');
    return new Uint8Array(target.toBuffer());
  }

  [Symbol.dispose](): void {
    this.#scaler.freeContext();
  }
}

/** Wraps planes of `toI420` as a frame, which the caller frees. */
export function frameOfPlanes(planes: Uint8Array<ArrayBuffer>, width: number, height: number): Frame {
  const bytes = Buffer.from(planes.buffer, planes.byteOffset, planes.byteLength);
  const frame = Frame.fromVideoBuffer(bytes, { width, height, format: AV_PIX_FMT_YUV420P });
  frame.colorSpace = AVCOL_SPC_BT709;
  frame.colorRange = AVCOL_RANGE_MPEG;
  frame.colorPrimaries = AVCOL_PRI_BT709;
  frame.colorTrc = AVCOL_TRC_BT709;
  return frame;
}

/** Copies the luma of a frame of the same size into a raster's alpha. */
export function alphaFromLuma(frame: Frame, { width, height, data }: Raster8): void {
  const luma = frame.data?.[0];
  const stride = frame.linesize[0] ?? 0;
  if (!luma || frame.width !== width || frame.height !== height) return;
  for (let y = 0, to = 3; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) data[to] = luma[y * stride + x];
  }
}

function emptyFrame(width: number, height: number, format: AVPixelFormat): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = format;
  FFmpegError.throwIfError(frame.allocBuffer(), 'allocate picture');
  return frame;
}
