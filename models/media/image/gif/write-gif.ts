import type { Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame } from '../../../core/runtime/raster.ts';
import { toEightBits } from '../../../kernels/raster/pixel-format.ts';
import { ascii, type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import {
  divideIntoBlocks,
  EXTENSION_INTRODUCER,
  GRAPHIC_CONTROL,
  IMAGE_SEPARATOR,
  TRAILER,
} from './blocks.ts';
import { packGifLzw } from './lzw.ts';

const COLOURS_MAX = 256;
/** Stands for transparent pixels among colours of 24 bits. */
const CLEAR = -1;
const KEEP = 1;
const TO_BACKGROUND = 2;
const HUNDREDTHS_MAX = 0xffff;
const LOOPS_MAX = 0xffff;
const HAS_TABLE = 0x80;
/** 8 bits for each part of a colour, in the screen's descriptor. */
const COLOUR_RESOLUTION = 0x70;

/** Places of colours in a palette. */
type Palette = Map<number, number>;

interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Writes a GIF without loss, from 8 bits per sample: encoders reduce the colours of every frame and keep some of the
 * palette for themselves. Frames after the first hold what has changed.
 * @param picture whose frames are read twice
 * @returns null for an image that GIF cannot hold as it is: a frame has more than 256 colours, the transparent one
 *   included, or is half transparent
 */
export async function writeExactGif(picture: Picture): Promise<Bytes | null> {
  const { width, height, frameCount, loopCount } = picture;
  const all = new Map<number, number>();
  const palettes: Palette[] = [];
  for await (const frame of picture.frames()) {
    const palette = readPalette(frame);
    if (!palette) return null;
    palettes.push(palette);
    for (const colour of palette.keys()) if (all.size <= COLOURS_MAX) addColour(all, colour);
  }
  // What a later frame does not change is transparent in it.
  if (frameCount > 1) for (const palette of [all, ...palettes]) addColour(palette, CLEAR);
  const common = all.size <= COLOURS_MAX ? all : null;
  const parts: Bytes[] = [
    ascii('GIF89a'),
    little(width, height),
    u8(COLOUR_RESOLUTION | (common ? HAS_TABLE | (getBits(common) - 1) : 0), 0, 0),
    ...(common ? [writeTable(common)] : []),
  ];
  if (frameCount > 1 && loopCount !== 1) parts.push(writeLoop(loopCount));
  const writer = new FrameWriter(picture, common);
  for await (const frame of picture.frames()) {
    const own = palettes.shift();
    if (own)
      parts.push(...writer.add({ colours: readColours(frame), palette: own, durationMs: frame.durationMs }));
  }
  return concat([...parts, ...writer.finish(), u8(TRAILER)]);
}

/** Adds a colour where there is room for it. */
function addColour(palette: Map<number, number>, colour: number): void {
  if (!palette.has(colour) && palette.size < COLOURS_MAX + (colour === CLEAR ? 0 : 1))
    palette.set(colour, palette.size);
}

interface HeldFrame {
  readonly colours: Int32Array;
  readonly palette: Palette;
  readonly durationMs: number;
}

/** Writes frames, each once the next is known: what disappears must be disposed of by the frame before. */
class FrameWriter {
  readonly #whole: Region;
  readonly #isAnimation: boolean;
  readonly #common: Palette | null;
  /** Colours that show before the held frame is drawn. */
  #ground: Int32Array;
  #held: HeldFrame | undefined;
  #isFirst = true;

  /** @param common palette of all frames; each has its own when null */
  constructor({ width, height, frameCount }: Picture, common: Palette | null) {
    this.#whole = { left: 0, top: 0, right: width, bottom: height };
    this.#isAnimation = frameCount > 1;
    this.#common = common;
    this.#ground = new Int32Array(width * height).fill(CLEAR);
  }

  add(frame: HeldFrame): Bytes[] {
    const held = this.#held;
    this.#held = frame;
    return held ? this.#write(held, frame) : [];
  }

  finish(): Bytes[] {
    return this.#held ? this.#write(this.#held) : [];
  }

  #write({ colours, palette, durationMs }: HeldFrame, next?: HeldFrame): Bytes[] {
    const ground = this.#ground;
    const { right: width } = this.#whole;
    const gone =
      next &&
      findRegion(width, colours, (pixel) => colours[pixel] !== CLEAR && next.colours[pixel] === CLEAR);
    // Some readers take the size of the first frame for that of the screen.
    const changed = this.#isFirst
      ? this.#whole
      : findRegion(width, colours, (pixel) => colours[pixel] !== ground[pixel]);
    const region = unite(changed ?? gone ?? ONE_PIXEL, gone);
    const disposal = gone ? TO_BACKGROUND : this.#isAnimation ? KEEP : 0;
    const chosen = this.#common ?? palette;
    const clear = chosen.get(CLEAR);
    const indexes = new Uint8Array((region.right - region.left) * (region.bottom - region.top));
    let to = 0;
    for (const pixel of pixelsOf(region, width))
      indexes[to++] =
        (colours[pixel] === ground[pixel] ? clear : undefined) ?? chosen.get(colours[pixel]) ?? 0;
    this.#isFirst = false;
    this.#ground = colours;
    if (gone) for (const pixel of pixelsOf(region, width)) colours[pixel] = CLEAR;
    return writeFrame(indexes, { region, palette: chosen, isLocal: !this.#common, disposal, durationMs });
  }
}

const ONE_PIXEL: Region = { left: 0, top: 0, right: 1, bottom: 1 };

function* pixelsOf({ left, top, right, bottom }: Region, width: number): Generator<number> {
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) yield y * width + x;
}

function unite(one: Region, other: Region | undefined): Region {
  if (!other) return one;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

/** Collects the colours of a frame; null where GIF cannot hold them. */
function readPalette(frame: Frame): Palette | null {
  const palette = new Map<number, number>();
  let previous: number | undefined;
  const { data } = toEightBits(frame);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3];
    if (alpha !== 0 && alpha !== 255) return null;
    const colour = alpha ? (data[at] << 16) | (data[at + 1] << 8) | data[at + 2] : CLEAR;
    if (colour === previous) continue;
    previous = colour;
    if (palette.has(colour)) continue;
    if (palette.size === COLOURS_MAX) return null;
    palette.set(colour, palette.size);
  }
  return palette;
}

function readColours(frame: Frame): Int32Array {
  const { data } = toEightBits(frame);
  const colours = new Int32Array(data.length / 4);
  for (let pixel = 0, at = 0; pixel < colours.length; pixel++, at += 4)
    colours[pixel] = data[at + 3] ? (data[at] << 16) | (data[at + 1] << 8) | data[at + 2] : CLEAR;
  return colours;
}

/** Returns the smallest region with all pixels that count; undefined when none does. */
function findRegion(
  width: number,
  { length }: Int32Array,
  counts: (pixel: number) => boolean,
): Region | undefined {
  let [left, top, right, bottom] = [width, -1, 0, 0];
  for (let pixel = 0; pixel < length; pixel++) {
    if (!counts(pixel)) continue;
    const x = pixel % width;
    const y = (pixel - x) / width;
    if (top < 0) top = y;
    if (x < left) left = x;
    if (x >= right) right = x + 1;
    bottom = y + 1;
  }
  return top < 0 ? undefined : { left, top, right, bottom };
}

interface FrameCoding {
  readonly region: Region;
  readonly palette: Palette;
  readonly isLocal: boolean;
  readonly disposal: number;
  readonly durationMs: number;
}

function writeFrame(
  indexes: Bytes,
  { region: { left, top, right, bottom }, palette, isLocal, disposal, durationMs }: FrameCoding,
): Bytes[] {
  const clear = palette.get(CLEAR);
  const codeBits = Math.max(2, getBits(palette));
  const hundredths = Math.min(HUNDREDTHS_MAX, Math.round(durationMs / 10));
  return [
    u8(EXTENSION_INTRODUCER, GRAPHIC_CONTROL, 4, (disposal << 2) | (clear === undefined ? 0 : 1)),
    little(hundredths),
    u8(clear ?? 0, 0, IMAGE_SEPARATOR),
    little(left, top, right - left, bottom - top),
    u8(isLocal ? HAS_TABLE | (getBits(palette) - 1) : 0),
    ...(isLocal ? [writeTable(palette)] : []),
    u8(codeBits),
    ...divideIntoBlocks(packGifLzw(indexes, codeBits)),
  ];
}

/** Returns the bits of a palette's places. */
function getBits({ size }: Palette): number {
  return Math.max(1, Math.ceil(Math.log2(size)));
}

function writeTable(palette: Palette): Bytes {
  const table = new Uint8Array(3 * 2 ** getBits(palette));
  for (const [colour, place] of palette)
    if (colour !== CLEAR) table.set([colour >> 16, colour >> 8, colour], place * 3);
  return table;
}

/** Writes how often an animation is repeated; endless is 0. */
function writeLoop(loopCount: number): Bytes {
  const repeats = loopCount === 0 ? 0 : Math.min(LOOPS_MAX, loopCount - 1);
  return concat([u8(EXTENSION_INTRODUCER, 0xff, 11), ascii('NETSCAPE2.0'), u8(3, 1), little(repeats), u8(0)]);
}

/** Writes numbers of 16 bits. */
function little(...numbers: number[]): Bytes {
  return new Uint8Array(numbers.flatMap((number) => [number & 0xff, number >> 8]));
}
