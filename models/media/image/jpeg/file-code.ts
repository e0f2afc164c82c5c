import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { CENTIMETRES_PER_INCH, isPlausibleResolution } from '../../bytes/print-units.ts';
import { startsWith } from '../../bytes/starts-with.ts';
import { tiffStreamOf } from '../exif/exif.ts';
import { completedFile } from '../format/file-parts.ts';
import type { ImageFileCode } from '../format/image-format.ts';
import { withoutMarker } from '../format/missing-end.ts';
import { readImageResource } from '../iptc/image-resource.ts';
import { readExifEncoding } from '../tiff/read-exif-encoding.ts';
import { isCmykJpeg, isGreyJpeg } from './count-components.ts';
import { lacksJpegEnd } from './lacks-end.ts';
import { readJpegCompanions } from './read-companions.ts';
import { readJpegMetadata } from './read-metadata.ts';
import { readJpegSize } from './read-size.ts';
import { readJpegSegments } from './segments.ts';
import { APP13, PHOTOSHOP_HEAD, writeJpegMetadata } from './write-metadata.ts';

const APP0 = 0xe0;
const JFIF_HEAD = 'JFIF\0';
const JFIF_INCH = 1;
const JFIF_CENTIMETRE = 2;

export const jpegFileCode: ImageFileCode = {
  readSize: readJpegSize,
  readContents(file) {
    const { pictures, hasGainMap } = readJpegCompanions(file);
    return { count: 1 + pictures, kind: 'images', hasGainMap };
  },
  readMetadata: readJpegMetadata,
  readIptc,
  readResolution: readJfif,
  readEncoding(file, exif) {
    // EXIF knows no inks: its statement describes the image before it was separated.
    return exif && !isCmykJpeg(file) ? readExifEncoding(tiffStreamOf(exif)) : null;
  },
  isGrey: isGreyJpeg,
  complete: (file) => completedFile(lacksJpegEnd(file) ? closeJpeg(file) : null, 'its end marker'),
  findMissingEnd: (file) => withoutMarker(file, '\xff\xd9'),
  embedMetadata: writeJpegMetadata,
  replaceProfile: (file, icc) => concat(writeJpegMetadata(file, icc ? { icc } : {})),
};

/** Reads APP13. Resources beyond one segment continue in the next. */
function readIptc(file: Bytes): Bytes | undefined {
  const bodies = readJpegSegments(file)
    .filter(({ marker, body }) => marker === APP13 && startsWith(body, PHOTOSHOP_HEAD))
    .map(({ body }) => body.subarray(PHOTOSHOP_HEAD.length));
  return bodies.length ? readImageResource(concat(bodies)) : undefined;
}

/** Reads the density of JFIF 1.02: of its units 1 is an inch and 2 a centimetre. */
function readJfif(file: Bytes): PrintResolution | undefined {
  const body = readJpegSegments(file).find(
    (segment) => segment.marker === APP0 && startsWith(segment.body, JFIF_HEAD),
  )?.body;
  if (!body || body.length < 12) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const unit = view.getUint8(7);
  const scale = unit === JFIF_CENTIMETRE ? CENTIMETRES_PER_INCH : 1;
  const resolution = { x: view.getUint16(8) * scale, y: view.getUint16(10) * scale };
  const isStated = unit === JFIF_INCH || unit === JFIF_CENTIMETRE;
  return isStated && isPlausibleResolution(resolution) ? resolution : undefined;
}

/** Adds the end marker, half of which may be there. */
function closeJpeg(bytes: Bytes): Bytes {
  return concat([bytes.at(-1) === 0xff ? bytes.subarray(0, -1) : bytes, u8(0xff, 0xd9)]);
}
