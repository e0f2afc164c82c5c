import { type ColourEncoding, SRGB_TRANSFER } from '../../../kernels/colour/colour-encoding.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readFirstDirectory, readNumbers, readPrimaries, TAG, type TiffDirectory } from './directory.ts';

const GAMMA = 42240;
const INTEROPERABILITY_INDEX = 1;

/** ColorSpace of EXIF 2.32, 4.6.5; 2 is not in it, but several cameras write it. */
const ADOBE_RGB_SPACE = 2;
const UNCALIBRATED = 65_535;

/** Adobe RGB (1998), 4.3.1. */
const ADOBE_RGB: ColourEncoding = {
  primaries: { red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: [0.3127, 0.329] },
  transfer: { kind: 'power', exponent: 563 / 256 },
};

/**
 * Reads the encoding that EXIF states: Adobe RGB by the interoperability index `R03` (DCF 2.0, 4.3.2), or primaries and
 * gamma of uncalibrated samples.
 * @param exif a TIFF stream
 * @returns null for sRGB, or when it states nothing
 */
export function readExifEncoding(exif: Bytes): ColourEncoding | null {
  return encodingOfFields(readFirstDirectory(exif));
}

/** Reads the encoding of a main directory with the Exif directory that it points at. */
export function encodingOfFields(main: TiffDirectory): ColourEncoding | null {
  const fields = getDirectory(main, TAG.exif);
  const [space] = readNumbers(fields, TAG.colourSpace);
  if (space === ADOBE_RGB_SPACE) return ADOBE_RGB;
  if (space !== UNCALIBRATED) return null;
  const index = getDirectory(fields, TAG.interoperability).find(({ tag }) => tag === INTEROPERABILITY_INDEX);
  if (index && String.fromCharCode(...index.value.subarray(0, 3)) === 'R03') return ADOBE_RGB;
  const primaries = readPrimaries(main);
  const [gamma] = readNumbers(fields, GAMMA);
  if (!primaries) return null;
  return { primaries, transfer: gamma ? { kind: 'power', exponent: gamma } : SRGB_TRANSFER };
}

function getDirectory(fields: TiffDirectory, pointer: number): TiffDirectory {
  return fields.find(({ tag }) => tag === pointer)?.directory ?? [];
}
