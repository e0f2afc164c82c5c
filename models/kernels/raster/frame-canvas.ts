import type { PixelRegion, Raster } from '../../core/runtime/raster.ts';

/** Part of an animation, with what happens before and after it is shown: PNG, third edition, 11.3.6.2. */
export interface FramePart {
  readonly region: PixelRegion;
  /** Whether its pixels replace those below, or cover them by their alpha. */
  readonly blend: 'source' | 'over';
  /** Whether the region stays afterwards, becomes transparent, or becomes what it was before. */
  readonly dispose: 'none' | 'background' | 'previous';
}

/** Canvas on which the parts of an animation become whole frames. It begins transparent. */
export class FrameCanvas {
  readonly #width: number;
  readonly #height: number;
  #data: Raster['data'] | undefined;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /**
   * Shows a part, then disposes of it.
   * @param pixels of the part's region, RGBA with straight alpha
   * @returns a copy of the canvas as shown
   */
  show({ region, blend, dispose }: FramePart, { data }: Raster): Raster {
    const [width, height] = [this.#width, this.#height];
    const canvas =
      this.#data ?? new (data instanceof Uint16Array ? Uint16Array : Uint8Array)(width * height * 4);
    this.#data = canvas;
    const before = dispose === 'previous' ? canvas.slice() : undefined;
    const most = canvas instanceof Uint16Array ? 0xffff : 0xff;
    for (let y = 0; y < region.height; y++) {
      const to = ((region.top + y) * width + region.left) * 4;
      const row = data.subarray(y * region.width * 4, (y + 1) * region.width * 4);
      if (blend === 'source') canvas.set(row, to);
      else coverRow(canvas, to, row, most);
    }
    const shown = { width, height, data: canvas.slice() };
    if (before) this.#data = before;
    if (dispose === 'background') this.#clear(canvas, region);
    return shown;
  }

  #clear(canvas: Raster['data'], { left, top, width, height }: PixelRegion): void {
    for (let y = top; y < top + height; y++) {
      const from = (y * this.#width + left) * 4;
      canvas.fill(0, from, from + width * 4);
    }
  }
}

/** Covers pixels by the operator over of Porter and Duff, with straight alpha. */
function coverRow(canvas: Raster['data'], start: number, row: Raster['data'], most: number): void {
  for (let from = 0, to = start; from < row.length; from += 4, to += 4) {
    const above = row[from + 3];
    if (above === 0) continue;
    const below = (canvas[to + 3] * (most - above)) / most;
    const alpha = above + below;
    for (let channel = 0; channel < 3; channel++) {
      const sum = row[from + channel] * above + canvas[to + channel] * below;
      canvas[to + channel] = Math.round(sum / alpha);
    }
    canvas[to + 3] = Math.round(alpha);
  }
}
