import type { InputVideoTrack } from 'mediabunny';
import type { Frame } from 'node-av/lib';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { Deinterlacer } from './deinterlacer.ts';
import { alphaFromLuma, PixelConverter } from './pixels.ts';

/** Transform from a track's coded frames to shown ones. */
export interface FrameShape {
  /** With square pixels, before rotation. */
  readonly width: number;
  readonly height: number;
  readonly quarterTurns: 0 | 1 | 2 | 3;
  readonly isMirrored: boolean;
}

export async function readShape(track: InputVideoTrack): Promise<FrameShape> {
  return {
    width: await track.getSquarePixelWidth(),
    height: await track.getSquarePixelHeight(),
    quarterTurns: ((await track.getRotation()) / 90) as FrameShape['quarterTurns'],
    isMirrored: await track.getFlip(),
  };
}

/** Converter of decoded frames to shown ones: deinterlaced, in RGBA, with square pixels, upright. */
export class FramePainter implements Disposable {
  readonly #shape: FrameShape;
  readonly #deinterlacer = new Deinterlacer();
  readonly #pixels = new PixelConverter();

  constructor(shape: FrameShape) {
    this.#shape = shape;
  }

  /**
   * Paints a frame with its time in microseconds; with null, those that still wait for the one after them.
   * @param mattes frames whose luma is alpha, by their times; those that were used are freed
   */
  *paint(frame: Frame | null, mattes?: Map<bigint, Frame>): Generator<VideoFrame, void, undefined> {
    for (const whole of this.#deinterlacer.push(frame)) {
      const raster = this.#pixels.toRgba(whole, this.#shape.width, this.#shape.height);
      const matte = mattes?.get(whole.pts);
      if (matte) alphaFromLuma(matte, raster);
      matte?.free();
      mattes?.delete(whole.pts);
      yield {
        ...(orientRaster(raster, this.#shape) as Raster8),
        timestampSeconds: Number(whole.pts) / 1e6,
        durationSeconds: Number(whole.duration) / 1e6,
      };
    }
  }

  [Symbol.dispose](): void {
    this.#deinterlacer[Symbol.dispose]();
    this.#pixels[Symbol.dispose]();
  }
}
