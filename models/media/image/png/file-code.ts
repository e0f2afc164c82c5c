import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageMetadata, PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import {
  areClose,
  type ColourEncoding,
  getEncoding,
  SRGB_PRIMARIES,
  SRGB_TRANSFER,
  type Transfer,
} from '../../../kernels/colour/colour-encoding.ts';
import type { Chromaticities, Chromaticity } from '../../../kernels/colour/xyz-matrix.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { type Bytes, concat, u32 } from '../../bytes/byte-writer.ts';
import { crc32 } from '../../bytes/checksums.ts';
import { getPerInch } from '../../bytes/print-units.ts';
import { readFourCc } from '../../bytes/text.ts';
import { type Inflate, inflateOrNothing } from '../../bytes/zlib.ts';
import { completedFile, getAnimation, type ImageFileCode, withoutMarker } from '../image-format.ts';
import {
  CHUNK_FRAME_BYTES,
  headChunks,
  PNG_HEAD_BYTES,
  PNG_SIGNATURE,
  readPngChunks,
  withoutChunks,
  writePngChunk,
} from './chunks.ts';
import { readPngTexts } from './read-texts.ts';
import { METRE, writePngMetadata } from './write-metadata.ts';

/** Encoding that the chunks of a PNG state. */
interface PngEncoding {
  readonly encoding: ColourEncoding;
  /** Whether it counts even where the file has a profile. */
  readonly outranksProfile: boolean;
}

/** Unit of gAMA and cHRM. */
const UNIT = 100_000;

/** Exponents outside are mistakes. */
const EXPONENT_MIN = 0.1;

const EXPONENT_MAX = 10;

/** The power that writers of sRGB state, as PNG, third edition, 11.3.2.5 tells them to, and how far off some are. */
const SRGB_EXPONENT = 2.2;

const SRGB_EXPONENT_TOLERANCE = 0.05;

/** Colour types of PNG, third edition, 11.2.1: grey, and grey with alpha. */
const GREY_TYPES: ReadonlySet<number> = new Set([0, 4]);

const COLOUR_TYPE_AT = 25;

const CRC_BYTES = 4;

const COLOUR_CHUNKS: ReadonlySet<string> = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);

const IHDR = 0x49484452;

/** Limit on chunks before the samples. */
const CHUNKS_MAX = 64;

export const pngFileCode: ImageFileCode = {
  readSize: readPngSize,
  isAnimated: announcesFrames,
  readContents: (file) => getAnimation(countFrames(file)),
  readMetadata: readPngMetadata,
  readResolution: readPhysicalSize,
  readEncoding: (file) => readPngEncoding(file)?.encoding ?? null,
  outranksProfile: (file) => readPngEncoding(file)?.outranksProfile ?? false,
  isGrey: isGreyPng,
  complete: (file) => completedFile(completePng(file), 'its last chunk'),
  findMissingEnd: (file) => withoutMarker(file, 'IEND'),
  embedMetadata: writePngMetadata,
  replaceProfile: (file, icc) =>
    icc && isGreyPng(file) && isDeepPng(file) ? null : replacePngProfile(file, icc),
};

/** Reports whether a PNG has 16 bits per sample. */
function isDeepPng(file: Uint8Array): boolean {
  return file[24] === 16;
}

/** Reads the size from IHDR, which must be the first chunk: PNG, third edition, 11.2.1. */
async function readPngSize(bytes: ByteWindow): Promise<ImageSize> {
  const view = await bytes.read(8, 16);
  if (view.getUint32(4) !== IHDR) {
    throw new OperationError(
      'bad_request',
      'The image is a damaged PNG: it does not start with an IHDR chunk.',
      { kind: 'damaged' },
    );
  }
  return { width: view.getUint32(8), height: view.getUint32(12) };
}

/** Looks for `acTL` before the samples: PNG, third edition, 11.3.6.1. */
async function announcesFrames(bytes: ByteWindow): Promise<boolean> {
  let at = PNG_HEAD_BYTES;
  for (let count = 0; count < CHUNKS_MAX && at + 8 <= bytes.size; count++) {
    const chunk = await bytes.read(at, 8);
    const type = readFourCc(chunk, 4);
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL';
    at += CHUNK_FRAME_BYTES + chunk.getUint32(0);
  }
  return false;
}

/**
 * Counts the frames of a PNG by its `acTL` chunk, which must precede the samples: PNG, third edition, 11.3.6.1. At
 * least 1.
 */
function countFrames(file: Bytes): number {
  const body = findChunk(file, 'acTL');
  return body && body.length >= 4 ? Math.max(1, new DataView(body.buffer, body.byteOffset).getUint32(0)) : 1;
}

/** Returns the body of the first chunk of a type before the samples. */
function findChunk(file: Bytes, wanted: string): Bytes | undefined {
  for (const { type, body } of headChunks(file)) if (type === wanted) return body;
  return undefined;
}

/** Reads pHYs: PNG, third edition, 11.3.4.3. */
function readPhysicalSize(file: Bytes): PrintResolution | undefined {
  const body = findChunk(file, 'pHYs');
  if (body?.[8] !== METRE) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return { x: getPerInch(view.getUint32(0)), y: getPerInch(view.getUint32(4)) };
}

/** Reads iCCP, eXIf and what text chunks say: PNG, third edition, 11.3. */
async function readPngMetadata(file: Bytes, inflate: Inflate): Promise<ImageMetadata> {
  const chunks = readPngChunks(file);
  const getBody = (wanted: string) => chunks.find(({ type }) => type === wanted)?.body;
  const profile = getBody('iCCP');
  const icc = profile && (await inflateOrNothing(profile.subarray(profile.indexOf(0) + 2), inflate));
  const exif = getBody('eXIf');
  return { ...(await readPngTexts(chunks, inflate)), ...(icc && { icc }), ...(exif && { exif }) };
}

/**
 * Replaces all that a PNG says about its colours by a profile, or by nothing. The rest of the file stays as it is,
 * even where it is damaged.
 */
function replacePngProfile(file: Bytes, icc: Bytes | undefined): Bytes {
  const plain = concat(withoutChunks(file, COLOUR_CHUNKS));
  return icc ? concat(writePngMetadata(plain, { icc })) : plain;
}

/**
 * Completes a PNG that ends after the samples of its still image: behind them, within their checksum, or within a chunk
 * that follows. Whether samples are missing as well, only decoding shows.
 * @returns null for a file with an end, and for one that ends within a chunk of those samples
 */
function completePng(file: Bytes): Bytes | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let hasSamples = false;
  let at = PNG_SIGNATURE.length;
  while (at + 8 <= file.length) {
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const bodyEnd = at + 8 + view.getUint32(at);
    if (type === 'IEND' && bodyEnd + CRC_BYTES <= file.length) return null;
    if (bodyEnd > file.length) {
      if (type === 'IDAT' || !hasSamples) return null;
      // Samples of a later frame stay, cut as they are, so that its decoder fails.
      const rest = type === 'fdAT' ? writePngChunk(type, file.subarray(at + 8)) : new Uint8Array();
      return closed(concat([file.subarray(0, at), rest]));
    }
    hasSamples ||= type === 'IDAT';
    if (bodyEnd + CRC_BYTES > file.length) {
      return hasSamples ? closed(withChecksum(file, at, bodyEnd)) : null;
    }
    at = bodyEnd + CRC_BYTES;
  }
  return hasSamples ? closed(file.subarray(0, at)) : null;
}

function withChecksum(file: Bytes, start: number, bodyEnd: number): Bytes {
  return concat([file.subarray(0, bodyEnd), u32(crc32(file.subarray(start + 4, bodyEnd)))]);
}

function closed(file: Bytes): Bytes {
  return concat([file, writePngChunk('IEND')]);
}

/**
 * Reads the encoding of a PNG outside of its profile. `cICP` ranks above a profile, `sRGB` below, and `gAMA` with
 * `cHRM` last: PNG, third edition, 4.3, table 1.
 * @returns null when no chunk states one
 */
function readPngEncoding(file: Bytes): PngEncoding | null {
  const bodies = new Map<string, DataView>();
  for (const { type, body } of headChunks(file)) {
    if (!bodies.has(type)) bodies.set(type, new DataView(body.buffer, body.byteOffset, body.byteLength));
  }
  const coded = readCodePoints(bodies.get('cICP'));
  if (coded) return { encoding: coded, outranksProfile: true };
  const encoding = bodies.has('sRGB')
    ? { primaries: SRGB_PRIMARIES, transfer: SRGB_TRANSFER }
    : readGamma(bodies.get('gAMA'), bodies.get('cHRM'));
  return encoding && { encoding, outranksProfile: false };
}

/** Reads cICP: primaries, transfer, matrix (0, as samples are RGB) and range: 11.3.2.6. */
function readCodePoints(body: DataView | undefined): ColourEncoding | null {
  if (!body || body.byteLength < 4) return null;
  const isNarrow = body.getUint8(3) === 0;
  return getEncoding({ primaries: body.getUint8(0), transfer: body.getUint8(1), isNarrow });
}

function readGamma(gamma: DataView | undefined, chromaticities: DataView | undefined): ColourEncoding | null {
  const transfer = readTransfer(gamma);
  const primaries = readPrimaries(chromaticities);
  if (!transfer && !primaries) return null;
  const own = { primaries: primaries ?? SRGB_PRIMARIES, transfer: transfer ?? SRGB_TRANSFER };
  const isSrgb =
    own.transfer.kind === 'power' &&
    Math.abs(own.transfer.exponent - SRGB_EXPONENT) <= SRGB_EXPONENT_TOLERANCE &&
    areClose(own.primaries, SRGB_PRIMARIES);
  return isSrgb ? { primaries: SRGB_PRIMARIES, transfer: SRGB_TRANSFER } : own;
}

function readTransfer(body: DataView | undefined): Transfer | null {
  if (!body || body.byteLength < 4) return null;
  const exponent = UNIT / body.getUint32(0);
  return exponent >= EXPONENT_MIN && exponent <= EXPONENT_MAX ? { kind: 'power', exponent } : null;
}

/** Reads cHRM: white, red, green, blue, each x and y: 11.3.2.1. */
function readPrimaries(body: DataView | undefined): Chromaticities | null {
  if (!body || body.byteLength < 32) return null;
  const point = (at: number): Chromaticity => [body.getUint32(at) / UNIT, body.getUint32(at + 4) / UNIT];
  return { white: point(0), red: point(8), green: point(16), blue: point(24) };
}

/** Reports whether the samples of a PNG are grey. */
function isGreyPng(file: Uint8Array): boolean {
  return GREY_TYPES.has(file[COLOUR_TYPE_AT] ?? -1);
}
