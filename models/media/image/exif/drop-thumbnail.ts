import type { Bytes } from '../../bytes/byte-writer.ts';
import { type ExifDirectory, openNextDirectory, readNumber } from './exif-directory.ts';

/** Fields that name a thumbnail's samples, JPEG and uncompressed: EXIF 2.32, 4.6.9. */
const PLACES = [
  { offset: 0x0201, length: 0x0202 },
  { offset: 273, length: 279 },
] as const;

interface Region {
  readonly start: number;
  readonly end: number;
}

/**
 * Removes the thumbnail of an EXIF block in place: unlinks its directory, and clears its samples, which would remain
 * readable.
 * @returns the block, without its end where only the thumbnail stood there
 */
export function dropThumbnail(main: ExifDirectory): Bytes {
  const { bytes, view, nextAt } = main;
  const thumbnail = openNextDirectory(main);
  if (nextAt + 4 <= bytes.length) view.setUint32(nextAt, 0);
  if (!thumbnail) return bytes;
  const samples = samplesOf(thumbnail);
  // A region that reaches into the main directory is no thumbnail.
  const regions = [...samples, { start: thumbnail.start, end: thumbnail.nextAt + 4 }].filter(
    ({ start, end }) => end > start && start >= nextAt + 4,
  );
  for (const { start, end } of regions) bytes.fill(0, start, end);
  const last = samples.find(({ start, end }) => start >= nextAt + 4 && end >= bytes.length);
  return last ? bytes.slice(0, last.start) : bytes;
}

function samplesOf(thumbnail: ExifDirectory): Region[] {
  return PLACES.flatMap(({ offset, length }) => {
    const start = readNumber(thumbnail, offset);
    const bytes = readNumber(thumbnail, length);
    return start === undefined || bytes === undefined ? [] : [{ start, end: start + bytes }];
  });
}
