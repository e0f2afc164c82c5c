import type { ImageSize, PixelRegion } from '../../core/runtime/raster.ts';
import { readAvcParameters } from '../parameter-sets/avc.ts';
import { readAperture } from '../parameter-sets/clean-aperture.ts';
import { readHevcUsability } from '../parameter-sets/hevc.ts';
import { type PixelAspect, readLayerAspect } from '../parameter-sets/pixel-aspect.ts';
import type { Box, BoxReader } from './box-reader.ts';

/** Shape in which the decoded pictures of a track are shown. Its size has square pixels, before rotation. */
export interface PictureShape extends ImageSize {
  /** Size of decoded pictures. */
  readonly coded: ImageSize;
  /** Part of them that is shown. */
  readonly crop: PixelRegion;
}

/** Length of a visual sample entry before its boxes: ISO 14496-12, 12.1.3.2. */
const ENTRY_BYTES = 78;

/** Returns the shape of pictures of which one side is enlarged, so that nothing of them is lost. */
export function getPictureShape(
  coded: ImageSize,
  crop: PixelRegion,
  aspect: PixelAspect | null,
): PictureShape {
  const share = aspect && aspect.width > 0 && aspect.height > 0 ? aspect.width / aspect.height : 1;
  const width = Math.round(crop.width * Math.max(1, share));
  const height = Math.round(crop.height * Math.max(1, 1 / share));
  return { coded, crop, width, height };
}

/**
 * Reads how the pictures of a track of an MP4 or MOV file are shown: the part that `clap` states, with the aspect of
 * `pasp`, or else that of the coded stream, as FFmpeg shows them.
 * @param stsd sample descriptions, of which the first counts
 */
export async function readIsoShape(reader: BoxReader, stsd: Box): Promise<PictureShape> {
  const [entry] = await reader.boxes({ ...stsd, start: stsd.start + 8 });
  const head = entry && entry.end - entry.start >= ENTRY_BYTES ? await reader.view(entry, ENTRY_BYTES) : null;
  const coded = { width: head?.getUint16(24) ?? 0, height: head?.getUint16(26) ?? 0 };
  const inEntry = entry
    ? await reader.boxes({ ...entry, start: entry.start + ENTRY_BYTES }).catch(() => [])
    : [];
  const read = async (type: string) => {
    const box = inEntry.find((each) => each.type === type);
    return box ? await reader.view(box, box.end - box.start) : null;
  };
  const pasp = await read('pasp');
  const stated =
    pasp && pasp.byteLength >= 8 ? { width: pasp.getUint32(0), height: pasp.getUint32(4) } : null;
  const isStated = stated && stated.width > 0 && stated.height > 0;
  return getPictureShape(
    coded,
    readAperture(await read('clap'), coded),
    isStated ? stated : await readCodedAspect(read),
  );
}

/** Reads the pixel aspect that the coded stream states; null where it states none. */
async function readCodedAspect(
  read: (type: string) => Promise<DataView | null>,
): Promise<PixelAspect | null> {
  const [avc, hevc, esds] = [await read('avcC'), await read('hvcC'), await read('esds')];
  if (avc) return readAvcParameters(getBytes(avc)).aspect;
  if (hevc) return readHevcUsability(getBytes(hevc)).aspect;
  return esds && readLayerAspect(getBytes(esds));
}

const getBytes = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint8Array(buffer, byteOffset, byteLength);
