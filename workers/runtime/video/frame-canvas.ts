import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';

/** Converts decoded frames to opaque rasters of one size. */
export class FrameCanvas {
  readonly #context: OffscreenCanvasRenderingContext2D;

  /** @throws OperationError `unavailable` when the browser has no canvas */
  constructor(width: number, height: number) {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    if (!context)
      throw new OperationError(
        'unavailable',
        'This browser has no canvas for workers. Run it on the server.',
        { kind: 'no_codecs' },
      );
    this.#context = context;
  }

  /**
   * Reads a raster.
   * @param draw fills the canvas
   */
  read(draw: (context: OffscreenCanvasRenderingContext2D) => void): Raster8 {
    draw(this.#context);
    const { width, height } = this.#context.canvas;
    const { data } = this.#context.getImageData(0, 0, width, height);
    return { width, height, data: new Uint8Array(data.buffer) };
  }
}
