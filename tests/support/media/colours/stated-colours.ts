import { type Color, converter } from 'culori';
import sharp from 'sharp';
import { ascii, type Bytes, box, concat, u8, u16, u32 } from '../../../../models/media/bytes/byte-writer.ts';
import { readHeifItems } from '../../../../models/media/image/heif/read-meta.ts';
import { type HeifProperty, writeHeif } from '../../../../models/media/image/heif/write-heif.ts';
import { writeJpegMetadata } from '../../../../models/media/image/jpeg/write-metadata.ts';
import { PNG_SIGNATURE, writePngChunk } from '../../../../models/media/image/png/chunks.ts';
import { writePngMetadata } from '../../../../models/media/image/png/write-metadata.ts';
import {
  openTiffStream,
  readDirectory,
  type TiffDirectory,
  type TiffField,
  writeDirectory,
} from '../../../../models/media/image/tiff/directory.ts';
import { uncompressedTiff } from '../../../../models/media/image/tiff/uncompressed-tiff.ts';
import { convertToBlob } from '../images.ts';
import { imageOfCodedColours } from './coded-colours.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** File of one colour that it states outside of an ICC profile, and that colour in sRGB, 0 to 255. */
export interface StatedColour {
  readonly name: string;
  readonly file: () => Promise<Blob>;
  readonly expected: Rgb;
  /** Largest difference of a component: that of a lossy encoder, or of the steps of 8 bits in a wide range. */
  readonly tolerance: number;
}

const SIDE = 16;
const SAMPLES: Rgb = [200, 100, 50];
const P3_CHRM = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000];
const SRGB_CHRM = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

const toRgb = converter('rgb');
const toXyz = converter('xyz65');

function inSrgb(colour: Color): Rgb {
  const { r, g, b } = toRgb(colour);
  const byte = (part: number) => Math.round(255 * Math.min(1, Math.max(0, part)));
  return [byte(r), byte(g), byte(b)];
}

function samplesAs(mode: 'p3' | 'a98' | 'lrgb', [r, g, b]: Rgb = SAMPLES): Rgb {
  return inSrgb({ mode, r: r / 255, g: g / 255, b: b / 255 });
}

/** Writes a PNG of 8 bits with the chunks before its samples. */
function getPng(chunks: readonly Bytes[], samples: Rgb = SAMPLES): Promise<Blob> {
  return sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: getCss(samples) } })
    .png()
    .toBuffer()
    .then((file) => {
      const head = PNG_SIGNATURE.length + 25;
      return new Blob([file.subarray(0, head), ...chunks, file.subarray(head)]);
    });
}

function getCss([r, g, b]: Rgb): { r: number; g: number; b: number } {
  return { r, g, b };
}

const gAMA = (gamma: number) => writePngChunk('gAMA', u32(Math.round(gamma * 100_000)));
const cHRM = (numbers: readonly number[]) => writePngChunk('cHRM', u32(...numbers));
const sRGB = writePngChunk('sRGB', u8(0));
const cICP = (primaries: number, transfer: number, range = 1) =>
  writePngChunk('cICP', u8(primaries, transfer, 0, range));

/** Returns the iCCP chunk of a Display P3 profile. */
async function p3Profile(): Promise<Bytes> {
  const { icc } = await sharp(
    await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .withIccProfile('p3')
      .png()
      .toBuffer(),
  ).metadata();
  const carrier = concat([PNG_SIGNATURE, new Uint8Array(25)]);
  return concat(writePngMetadata(carrier, { icc: new Uint8Array(icc ?? []) }).slice(1, -1));
}

/** Matrix of the colours that our encoders code: ITU-T H.273, table 4, BT.601. */
const MATRIX = 6;
const FULL_RANGE = 0x80;

/** Writes a file of our own encoder whose `nclx` states primaries and transfer. */
async function getHeif(
  format: 'avif' | 'heic',
  [primaries, transfer]: readonly [number, number],
  samples: Rgb,
): Promise<Blob> {
  const plain = await convertToBlob(await getPng([], samples), { to_format: format, quality: 100 });
  const [picture, ...others] = readHeifItems(new Uint8Array(await plain.arrayBuffer()));
  const isNclx = (property: HeifProperty) =>
    String.fromCharCode(...property.box.subarray(4, 12)) === 'colrnclx';
  const properties = (picture?.properties ?? []).filter((property) => !isNclx(property));
  const nclx = box('colr', ascii('nclx'), u16(primaries, transfer, MATRIX), u8(FULL_RANGE));
  if (!picture) throw new Error('no picture');
  const items = [{ ...picture, properties: [...properties, { box: nclx, isEssential: false }] }, ...others];
  return new Blob(writeHeif(format, ['mif1', format, 'miaf'], items));
}

/** Writes EXIF that states Adobe RGB into a JPEG without metadata. */
export async function asAdobeRgb(jpeg: Blob): Promise<Blob> {
  const index: TiffField = { tag: 1, type: 2, value: ascii('R03\0') };
  const exif: TiffDirectory = [
    { tag: 40961, type: 3, value: u8(0xff, 0xff) },
    { tag: 40965, type: 4, value: u8(), directory: [index] },
  ];
  const main: TiffDirectory = [{ tag: 34665, type: 4, value: u8(), directory: exif }];
  const stream = concat([u8(0x49, 0x49, 42, 0, 8, 0, 0, 0), writeDirectory(main, 8, 0)]);
  return new Blob(writeJpegMetadata(new Uint8Array(await jpeg.arrayBuffer()), { exif: stream }));
}

async function adobeRgbJpeg(): Promise<Blob> {
  const jpeg = await sharp({
    create: { width: SIDE, height: SIDE, channels: 3, background: getCss(SAMPLES) },
  })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return asAdobeRgb(new Blob([new Uint8Array(jpeg)]));
}

/** Writes a TIFF that states P3's primaries and a linear transfer. */
async function getTiff(): Promise<Blob> {
  const { file, samples } = uncompressedTiff({ width: SIDE, height: SIDE, channels: 3, bitsPerSample: 8 });
  for (let at = 0; at < samples.length; at += 3) samples.set(SAMPLES, at);
  const little = (numbers: ArrayBufferView) => new Uint8Array(numbers.buffer as ArrayBuffer);
  const rationals = (parts: readonly number[]) =>
    little(Uint32Array.from(parts.flatMap((part) => [part, 100_000])));
  const linear = little(Uint16Array.from({ length: 256 }, (_, sample) => sample * 257));
  const [whiteX, whiteY, ...primaries] = P3_CHRM;
  const stream = openTiffStream(file);
  if (!stream) throw new Error('no directory');
  const fields: TiffDirectory = [
    ...readDirectory(stream, stream.firstOffset),
    { tag: 301, type: 3, value: linear },
    { tag: 318, type: 5, value: rationals([whiteX ?? 0, whiteY ?? 0]) },
    { tag: 319, type: 5, value: rationals(primaries) },
  ];
  new DataView(file.buffer).setUint32(4, file.length, true);
  return new Blob([file, writeDirectory(fields, file.length, 0)]);
}

/** Returns what is P3 and linear, in sRGB. */
function linearP3(): Rgb {
  const [r, g, b] = SAMPLES.map((sample) => {
    const light = sample / 255;
    return light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  });
  return inSrgb({ mode: 'p3', r: r ?? 0, g: g ?? 0, b: b ?? 0 });
}

/** XYZ under D65 to linear BT.2020: ITU-R BT.2020, table 3, inverted. */
const XYZ_TO_2020 = [
  [1.716651, -0.355671, -0.253366],
  [-0.666684, 1.616481, 0.015769],
  [0.01764, -0.042771, 0.942103],
] as const;

/** Returns an sRGB colour as samples of BT.2020 in PQ, with white at 203 cd/m2: SMPTE ST 2084, 5.2. */
function asPq([r, g, b]: Rgb): Rgb {
  const { x, y, z } = toXyz({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
  const [red = 0, green = 0, blue = 0] = XYZ_TO_2020.map((row) => {
    const power = (((row[0] * x + row[1] * y + row[2] * z) * 203) / 10_000) ** 0.159_301_758;
    return Math.round(255 * ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375);
  });
  return [red, green, blue];
}

/** Returns an sRGB colour as samples of BT.2020 in HLG, on a display of 1000 cd/m2: ITU-R BT.2100, table 5. */
function asHlg([r, g, b]: Rgb): Rgb {
  const { x, y, z } = toXyz({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
  const shown = XYZ_TO_2020.map((row) => (row[0] * x + row[1] * y + row[2] * z) * 0.203);
  const luminance = y * 0.203;
  const [red = 0, green = 0, blue = 0] = shown.map((part) => {
    const scene = part * luminance ** (1 / 1.2 - 1);
    const code =
      scene <= 1 / 12
        ? Math.sqrt(3 * scene)
        : 0.178_832_77 * Math.log(12 * scene - 0.284_668_92) + 0.559_910_73;
    return Math.round(255 * code);
  });
  return [red, green, blue];
}

/** Files of each format that state their colours outside of a profile. */
export const STATED_COLOURS: readonly StatedColour[] = [
  { name: 'PNG gAMA 1', file: () => getPng([gAMA(1)]), expected: samplesAs('lrgb'), tolerance: 1 },
  {
    name: 'PNG gAMA of sRGB, as its specification rounds it',
    file: () => getPng([gAMA(0.45455), cHRM(SRGB_CHRM)]),
    expected: SAMPLES,
    tolerance: 0,
  },
  { name: 'PNG cHRM of P3', file: () => getPng([cHRM(P3_CHRM)]), expected: samplesAs('p3'), tolerance: 1 },
  {
    name: 'PNG sRGB above gAMA and cHRM',
    file: () => getPng([gAMA(1), cHRM(P3_CHRM), sRGB]),
    expected: SAMPLES,
    tolerance: 0,
  },
  {
    name: 'PNG iCCP above sRGB and gAMA',
    file: async () => getPng([await p3Profile(), gAMA(1)]),
    expected: samplesAs('p3'),
    tolerance: 2,
  },
  {
    name: 'PNG cICP of sRGB above iCCP',
    file: async () => getPng([cICP(1, 13), await p3Profile()]),
    expected: SAMPLES,
    tolerance: 0,
  },
  {
    name: 'PNG cICP of P3 above gAMA',
    file: () => getPng([cICP(12, 13), gAMA(1)]),
    expected: samplesAs('p3'),
    tolerance: 1,
  },
  {
    name: 'PNG cICP of P3 above iCCP',
    file: async () => getPng([cICP(12, 13), await p3Profile()]),
    expected: samplesAs('p3'),
    tolerance: 1,
  },
  {
    name: 'PNG cICP of a narrow range',
    file: () => getPng([cICP(1, 13, 0)], [126, 126, 126]),
    expected: [128, 128, 128],
    tolerance: 1,
  },
  {
    name: 'PNG cICP of PQ',
    file: () => getPng([cICP(9, 16)], asPq(SAMPLES)),
    expected: SAMPLES,
    tolerance: 4,
  },
  { name: 'JPEG with EXIF of Adobe RGB', file: adobeRgbJpeg, expected: samplesAs('a98'), tolerance: 2 },
  { name: 'TIFF with primaries and transfer', file: getTiff, expected: linearP3(), tolerance: 2 },
  {
    name: 'AVIF with nclx of P3',
    file: () => getHeif('avif', [12, 13], SAMPLES),
    expected: samplesAs('p3'),
    tolerance: 4,
  },
  {
    name: 'HEIC with nclx of P3',
    file: () => getHeif('heic', [12, 13], SAMPLES),
    expected: samplesAs('p3'),
    tolerance: 4,
  },
  {
    name: 'AVIF of PQ',
    file: () => getHeif('avif', [9, 16], asPq(SAMPLES)),
    expected: SAMPLES,
    tolerance: 8,
  },
  {
    name: 'AVIF of HLG',
    file: () => getHeif('avif', [9, 18], asHlg(SAMPLES)),
    expected: SAMPLES,
    tolerance: 8,
  },
  {
    name: 'HEIC of PQ',
    file: () => getHeif('heic', [9, 16], asPq(SAMPLES)),
    expected: SAMPLES,
    tolerance: 8,
  },
  {
    name: 'AVIF whose samples alone state P3',
    file: () => imageOfCodedColours('avif', [12, 13], SAMPLES),
    expected: samplesAs('p3'),
    tolerance: 4,
  },
  {
    name: 'AVIF whose samples alone state PQ',
    file: () => imageOfCodedColours('avif', [9, 16], asPq(SAMPLES)),
    expected: SAMPLES,
    tolerance: 8,
  },
  {
    name: 'HEIC whose samples alone state P3',
    file: () => imageOfCodedColours('heic', [12, 13], SAMPLES),
    expected: samplesAs('p3'),
    tolerance: 4,
  },
  {
    name: 'HEIC whose samples alone state PQ',
    file: () => imageOfCodedColours('heic', [9, 16], asPq(SAMPLES)),
    expected: SAMPLES,
    tolerance: 8,
  },
];
