import { OperationError } from '../../../models/errors.ts';
import type { Raster8 } from '../../../models/kernels/opaque.ts';

/** Turns what the browser has decoded into rasters of one size, opaque ones. */
export class FrameCanvas {
  readonly #context: OffscreenCanvasRenderingContext2D;

  /** @throws OperationError `unavailable` when the browser lends no canvas */
  constructor(width: number, height: number) {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    if (!context)
      throw new OperationError('unavailable', 'This browser lends no canvas. Run it on the server.');
    this.#context = context;
  }

  /** @param draw fills the canvas */
  read(draw: (context: OffscreenCanvasRenderingContext2D) => void): Raster8 {
    draw(this.#context);
    const { width, height } = this.#context.canvas;
    const { data } = this.#context.getImageData(0, 0, width, height);
    return { width, height, data: new Uint8Array(data.buffer as ArrayBuffer) };
  }
}
