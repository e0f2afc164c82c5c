import sharp, { type Sharp } from 'sharp';
import {
  ascii,
  type Bytes,
  box,
  concat,
  fullBox,
  u8,
  u16,
  u32,
} from '../../../models/media/bytes/byte-writer.ts';
import { readHeifItems } from '../../../models/media/image/heif/read-meta.ts';
import { convertToBlob } from './images.ts';

const SIDE = 64;
const TIMESCALE = 1000;
const REPEATS = 1;
/** Matrix of a track that is not turned: ISO 14496-12, 8.3.2. */
const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

interface Coded {
  readonly still: Bytes;
  readonly configuration: Bytes;
  readonly data: Bytes;
}

/** Positions in the `ftyp` box of sharp. */
const MAJOR_BRAND_AT = 8;
const LAST_BRAND_AT = 24;

/** Codings of a sequence by format: sample entry and the box that sets its decoder up. */
const CODINGS = {
  avif: { entry: 'av01', configuration: 'av1C' },
  heic: { entry: 'hvc1', configuration: 'hvcC' },
} as const;

type Format = keyof typeof CODINGS;

async function encode(colour: readonly number[], format: Format): Promise<Coded> {
  const samples = Buffer.from(Array.from({ length: SIDE * SIDE }, () => [...colour]).flat());
  const image = sharp(samples, { raw: { width: SIDE, height: SIDE, channels: 3 } });
  const still =
    format === 'avif' ? await image.avif({ quality: 90, effort: 0 }).toBuffer() : await toHeic(image);
  const [item] = readHeifItems(new Uint8Array(still));
  const type = CODINGS[format].configuration;
  const configuration = item?.properties?.find(
    ({ box: bytes }) => String.fromCharCode(...bytes.subarray(4, 8)) === type,
  );
  if (!item || !configuration) throw new Error(`the encoder wrote no ${type}`);
  return { still: new Uint8Array(still), configuration: configuration.box, data: item.data };
}

async function toHeic(image: Sharp): Promise<Uint8Array> {
  const png = new Blob([new Uint8Array(await image.png().toBuffer())]);
  const heic = await convertToBlob(png, { to_format: 'heic' });
  return new Uint8Array(await heic.arrayBuffer());
}

interface SequenceOptions {
  readonly durationsMs: readonly number[];
  readonly plays: number;
  readonly opacities?: readonly number[];
  /** Whether the file states that its colours are multiplied by the opacities. */
  readonly isPremultiplied?: boolean;
  /** Body of the `colr` box of the track; it has none when absent. */
  readonly colr?: Bytes;
  readonly entryType?: string;
}

/** Makes a sequence of plain frames (ISO 23008-12, 7), and optionally their opacity in a second track. */
export async function createImageSequence(
  format: Format,
  colours: readonly (readonly [number, number, number])[],
  {
    durationsMs,
    plays,
    opacities,
    isPremultiplied = false,
    colr,
    entryType = CODINGS[format].entry,
  }: SequenceOptions,
): Promise<Blob> {
  const plain = (colour: readonly number[]) => encode(colour, format);
  const frames = await Promise.all(colours.map(plain));
  const mattes = await Promise.all((opacities ?? []).map((level) => plain([level, level, level])));
  const [first] = frames;
  if (!first) throw new Error('a sequence has frames');
  const head = format === 'avif' ? withSequenceBrand(first.still) : first.still;
  const timing = { entryType, durationsMs, plays, isPremultiplied, colr };
  const moovBytes = moov([frames, mattes], 0, timing).length;
  const data = concat([...frames, ...mattes].map((frame) => frame.data));
  const whole = concat([
    head,
    moov([frames, mattes], head.length + moovBytes + 8, timing),
    box('mdat', data),
  ]);
  return new Blob([whole]);
}

function withSequenceBrand(still: Bytes): Bytes {
  const copy = still.slice();
  for (const at of [MAJOR_BRAND_AT, LAST_BRAND_AT]) copy.set(ascii('avis'), at);
  return copy;
}

interface Timing {
  readonly entryType: string;
  readonly durationsMs: readonly number[];
  readonly plays: number;
  readonly isPremultiplied: boolean;
  readonly colr: Bytes | undefined;
}

function moov(tracks: readonly Coded[][], dataAt: number, timing: Timing): Bytes {
  let at = dataAt;
  const traks = tracks
    .filter((track) => track.length > 0)
    .map((track, place) => {
      const start = at;
      at += track.reduce((sum, { data }) => sum + data.length, 0);
      return trak(track, start, place > 0, timing);
    });
  return box('moov', fullBox('mvhd', 0, 0, u32(0, 0, TIMESCALE, 0), new Uint8Array(80)), ...traks);
}

function trak(
  frames: readonly Coded[],
  start: number,
  isAlpha: boolean,
  { entryType, durationsMs, plays, isPremultiplied, colr }: Timing,
): Bytes {
  const total = durationsMs.reduce((sum, duration) => sum + duration, 0);
  const duration = plays === 0 ? 0xffffffff : total * plays;
  const tkhd = fullBox(
    'tkhd',
    0,
    1,
    u32(0, 0, isAlpha ? 2 : 1, 0, duration),
    new Uint8Array(16),
    u32(...IDENTITY),
    u32(SIDE * 0x10000, SIDE * 0x10000),
  );
  const toColour = isAlpha ? [box('tref', box('auxl', u32(1)))] : [];
  const reference = isPremultiplied && !isAlpha ? [box('tref', box('prem', u32(2)))] : toColour;
  const elst = fullBox('elst', 0, REPEATS, u32(1, total, 0), u16(1, 0));
  const [first] = frames;
  const entry = box(
    entryType,
    new Uint8Array(24),
    u16(SIDE, SIDE),
    new Uint8Array(50),
    first?.configuration ?? u8(),
    colr ? box('colr', colr) : u8(),
  );
  const stbl = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), entry),
    fullBox('stts', 0, 0, u32(frames.length), ...durationsMs.map((ms) => u32(1, ms))),
    fullBox('stsc', 0, 0, u32(1, 1, frames.length, 1)),
    fullBox('stsz', 0, 0, u32(0, frames.length), ...frames.map(({ data }) => u32(data.length))),
    fullBox('stco', 0, 0, u32(1, start)),
  );
  const mdia = box(
    'mdia',
    fullBox('mdhd', 0, 0, u32(0, 0, TIMESCALE, total), u16(0, 0)),
    fullBox('hdlr', 0, 0, u32(0), ascii(isAlpha ? 'auxv' : 'pict'), u32(0, 0, 0), u8(0)),
    box('minf', stbl),
  );
  return box('trak', tkhd, ...reference, box('edts', elst), mdia);
}
