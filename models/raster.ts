/**
 * One picture in memory: RGBA, interleaved, straight (not premultiplied) alpha, rows from the top, no padding.
 * `data.length` is `width * height * 4`. 8-bit samples are `Uint8Array`, 16-bit ones `Uint16Array` (0 to 65535).
 */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
}

/** A raster that is shown for a time: one frame of an animation, or one page (`durationMs` 0). */
export interface Frame extends Raster {
  readonly durationMs: number;
}

/** Numbers in rows from the top, interleaved: `data.length` is `width * height * channels`. What they mean, the user says. */
export interface FloatImage {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Float32Array<ArrayBuffer>;
}
