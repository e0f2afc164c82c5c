/**
 * One image in memory: RGBA, interleaved, straight (not premultiplied) alpha, top row first, no padding.
 * `data.length` is `width * height * 4`. 8-bit samples are `Uint8Array`, 16-bit ones `Uint16Array` (0 to 65535).
 */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
}

/** Raster with a duration: one frame of an animation, or one page (`durationMs` 0). */
export interface Frame extends Raster {
  readonly durationMs: number;
}

/**
 * Interleaved numbers, top row first: `data.length` is `width * height * channels`. The user defines their meaning.
 */
export interface FloatImage {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Float32Array<ArrayBuffer>;
}

/** Opaque 8-bit pixels: red, green, blue, interleaved, top row first, no padding. */
export interface RgbSamples {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Raster of 8-bit samples. */
export type Raster8 = Raster & { readonly data: Uint8Array<ArrayBuffer> };

/** Colour in sRGB, gamma-encoded, each part 0 to 1, not premultiplied. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Red, green and blue, 0 to 255, in sRGB. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const WHITE: Rgb = [255, 255, 255];

/** Width and height in pixels: those of a file as stored, before any orientation is applied. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Change of an image's geometry and of what lies behind it, for every frame alike, in the order of the members. A member
 * that changes nothing repeats the size before it.
 */
export interface Geometry {
  /** Part of the image that stays, in whole pixels; null for all of it. */
  readonly crop: PixelRegion | null;
  readonly orientation: {
    /** Clockwise. */
    readonly quarterTurns: 0 | 1 | 2 | 3;
    /** Left to right, after the turn. */
    readonly isMirrored: boolean;
  };
  /** Size to which the turned part is scaled. */
  readonly scaled: ImageSize;
  /** Part of the scaled image that stays. */
  readonly kept: PixelRegion;
  /** Canvas, with the position of the kept part on it. */
  readonly canvas: PixelRegion;
  /** Colour of the canvas around the kept part, over `background` already. */
  readonly pad: Rgba;
  /** Colour that shows through transparent pixels; null leaves them as they are. */
  readonly background: Rgba | null;
}

/** Rectangle of whole pixels, from the upper left corner. */
export interface PixelRegion extends ImageSize {
  readonly left: number;
  readonly top: number;
}
