import type { Raster } from '../../../core/runtime/raster.ts';
import type { StripImage } from '../../../kernels/picture/strips.ts';

/** Reads rows of an image in strips, from the top, and holds only those that are still needed. */
export class RowWindow {
  readonly #image: StripImage;
  readonly #strips: AsyncIterator<Raster>;
  /** Held rows, of which `#top` is the first. */
  #data: Raster['data'];
  #top = 0;
  #rows = 0;
  /** Strip of which only some rows were taken. */
  #strip: Raster | null = null;
  #taken = 0;

  constructor(image: StripImage) {
    this.#image = image;
    this.#strips = image.strips[Symbol.asyncIterator]();
    this.#data = image.bitDepth === 16 ? new Uint16Array(0) : new Uint8Array(0);
  }

  /**
   * Returns rows as a raster, which the next call overwrites.
   * @param top never less than before
   */
  async rows(top: number, bottom: number): Promise<Raster> {
    const { width, height, bitDepth } = this.#image;
    const rowSamples = width * 4;
    const keptFrom = Math.min(this.#rows, top - this.#top) * rowSamples;
    const kept = this.#data.subarray(keptFrom, this.#rows * rowSamples);
    const needed = (bottom - top) * rowSamples;
    if (this.#data.length < needed) {
      const larger = new (bitDepth === 16 ? Uint16Array : Uint8Array)(needed);
      larger.set(kept);
      this.#data = larger;
    } else this.#data.copyWithin(0, keptFrom, this.#rows * rowSamples);
    this.#rows = kept.length / rowSamples;
    this.#top = top;
    while (this.#top + this.#rows < bottom) await this.#take(Math.min(bottom, height));
    return { width, height: bottom - top, data: this.#data.subarray(0, needed) };
  }

  /** Ends the reading, so that what makes the strips can free what it holds. */
  async close(): Promise<void> {
    await this.#strips.return?.();
  }

  async #take(bottom: number): Promise<void> {
    if (!this.#strip || this.#taken === this.#strip.height) {
      const { value, done } = await this.#strips.next();
      if (done) throw new RangeError('the image has fewer rows than its height');
      this.#strip = value;
      this.#taken = 0;
    }
    const rowSamples = this.#image.width * 4;
    const rows = Math.min(this.#strip.height - this.#taken, bottom - this.#top - this.#rows);
    const from = this.#taken * rowSamples;
    this.#data.set(this.#strip.data.subarray(from, from + rows * rowSamples), this.#rows * rowSamples);
    this.#taken += rows;
    this.#rows += rows;
  }
}
