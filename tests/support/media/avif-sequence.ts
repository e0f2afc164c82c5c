import sharp from 'sharp';
import {
  ascii,
  type Bytes,
  box,
  concat,
  fullBox,
  u8,
  u16,
  u32,
} from '../../../models/files/bytes/byte-writer.ts';
import { readHeifItems } from '../../../models/files/heif/read-items.ts';

const SIDE = 64;
const TIMESCALE = 1000;
const REPEATS = 1;

interface Coded {
  readonly still: Bytes;
  readonly configuration: Bytes;
  readonly data: Bytes;
}

async function encode(samples: Buffer): Promise<Coded> {
  const raw = { width: SIDE, height: SIDE, channels: 3 } as const;
  const still = new Uint8Array(await sharp(samples, { raw }).avif({ quality: 90, effort: 0 }).toBuffer());
  const [item] = readHeifItems(still);
  const configuration = item?.properties?.find(
    ({ box: bytes }) => String.fromCharCode(...bytes.subarray(4, 8)) === 'av1C',
  );
  if (!item || !configuration) throw new Error('sharp wrote no av01 item');
  return { still, configuration: configuration.box, data: item.data };
}

/** Makes an AVIF sequence of plain frames (AV1 Image File Format, 3), and optionally their opacity in a second track. */
export async function createAvifSequence(
  colours: readonly (readonly [number, number, number])[],
  {
    durationsMs,
    plays,
    opacities,
  }: { durationsMs: readonly number[]; plays: number; opacities?: readonly number[] },
): Promise<Blob> {
  const plain = (colour: readonly number[]) =>
    encode(Buffer.from(Array.from({ length: SIDE * SIDE }, () => [...colour]).flat()));
  const frames = await Promise.all(colours.map(plain));
  const mattes = await Promise.all((opacities ?? []).map((level) => plain([level, level, level])));
  const [first] = frames;
  if (!first) throw new Error('a sequence has frames');
  const head = withBrand(first.still);
  const moovBytes = moov([frames, mattes], 0, durationsMs, plays).length;
  const data = concat([...frames, ...mattes].map((frame) => frame.data));
  const whole = concat([
    head,
    moov([frames, mattes], head.length + moovBytes + 8, durationsMs, plays),
    box('mdat', data),
  ]);
  return new Blob([whole]);
}

function withBrand(still: Bytes): Bytes {
  const copy = still.slice();
  copy.set(ascii('avis'), 8);
  return copy;
}

function moov(
  tracks: readonly Coded[][],
  dataAt: number,
  durationsMs: readonly number[],
  plays: number,
): Bytes {
  let at = dataAt;
  const traks = tracks
    .filter((track) => track.length > 0)
    .map((track, place) => {
      const start = at;
      at += track.reduce((sum, { data }) => sum + data.length, 0);
      return trak(track, start, { isAlpha: place > 0, durationsMs, plays });
    });
  return box('moov', fullBox('mvhd', 0, 0, u32(0, 0, TIMESCALE, 0), new Uint8Array(80)), ...traks);
}

function trak(
  frames: readonly Coded[],
  start: number,
  { isAlpha, durationsMs, plays }: { isAlpha: boolean; durationsMs: readonly number[]; plays: number },
): Bytes {
  const total = durationsMs.reduce((sum, duration) => sum + duration, 0);
  const duration = plays === 0 ? 0xffffffff : total * plays;
  const tkhd = fullBox(
    'tkhd',
    0,
    1,
    u32(0, 0, isAlpha ? 2 : 1, 0, duration),
    new Uint8Array(52),
    u32(SIDE * 0x10000, SIDE * 0x10000),
  );
  const reference = isAlpha ? [box('tref', box('auxl', u32(1)))] : [];
  const elst = fullBox('elst', 0, REPEATS, u32(1, total, 0), u16(1, 0));
  const [first] = frames;
  const entry = box(
    'av01',
    new Uint8Array(24),
    u16(SIDE, SIDE),
    new Uint8Array(50),
    first?.configuration ?? u8(),
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
