import type { Runtime } from '../../core/runtime/runtime.ts';
import { type Bytes, box } from '../bytes/byte-writer.ts';
import { openHeifMeta, readItemData } from './heif/read-meta.ts';
import { writeHeif } from './heif/write-heif.ts';
import { encodeRaster, readRaster } from './raster-files.ts';

/** Reference of a thumbnail to its image: ISO 23008-12, 6.4.5. */
const THUMBNAIL = 'thmb';

const CODED = 'hvc1';

/**
 * Decodes the thumbnail that a camera wrote into a HEIC, upright.
 * @returns a PNG; null where the file has no thumbnail
 * @throws OperationError `bad_request` or `unprocessable` when the file or its thumbnail is damaged
 */
export async function readThumbnail(
  file: Blob,
  codecs: Pick<Runtime, 'images' | 'signal'>,
): Promise<Blob | null> {
  const parts = heifThumbnailFile(new Uint8Array(await file.arrayBuffer()));
  if (!parts) return null;
  const raster = await readRaster(new Blob(parts), codecs);
  return (await encodeRaster(raster, { format: 'png' }, codecs)).blob;
}

/**
 * Writes a file of the thumbnail of a HEIC's primary image alone, which decodes in a small part of the time.
 * @returns the parts of the file in order; null where it has no such thumbnail
 * @throws OperationError `bad_request` when its boxes are inconsistent
 */
export function heifThumbnailFile(file: Bytes): Bytes[] | null {
  const meta = openHeifMeta(file);
  const reference = meta
    ?.references()
    .find(
      ({ type, from, to }) =>
        type === THUMBNAIL && to.includes(meta.primaryItemId) && meta.itemTypes.get(from) === CODED,
    );
  if (!meta || !reference) return null;
  const properties = meta.propertiesOf(reference.from).map(({ type, start, end, isEssential }) => ({
    box: box(type, file.subarray(start, end)),
    isEssential,
  }));
  const data = readItemData(file, meta.box, reference.from);
  return writeHeif('heic', ['mif1', 'heic'], [{ type: CODED, data, properties }]);
}
