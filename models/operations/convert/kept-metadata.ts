import type { ImageMetadata, Picture } from '../../core/runtime/image-codec.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import { isUpright } from '../../kernels/raster/orient-raster.ts';
import { describeImageInExif } from '../../media/image/exif/describe-image.ts';
import { createResolutionExif } from '../../media/image/exif/set-resolution.ts';
import { holdsMetadata, imageFormatOf, type ListedFormat } from '../../media/image/find-format.ts';
import { readContents } from '../../media/image/headers/read-contents.ts';
import { isOnSide } from '../../media/image/headers/upright-image.ts';
import { joinExtendedXmp } from '../../media/image/jpeg/extended-xmp.ts';
import { JPEG_BLOCK_BYTES_MAX } from '../../media/image/jpeg/write-metadata.ts';
import { readIptc, readOrientation, readResolution } from '../../media/image/metadata/read-metadata.ts';
import { addIptcToXmp } from '../../media/image/xmp/add-iptc.ts';
import { describeImageInXmp } from '../../media/image/xmp/describe-image.ts';
import { splitXmp } from '../../media/image/xmp/split-packet.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface KeptMetadata {
  readonly metadata: ImageMetadata;
  readonly warnings: readonly RunWarning[];
}

export const WITHOUT_METADATA: KeptMetadata = { metadata: {}, warnings: [] };

/**
 * Collects the metadata of a source file for its conversion, made true of the result: an upright image of this size,
 * colour space and format, without thumbnail or gain map.
 * @param file the whole source
 * @param picture its decoded image
 */
export async function collectMetadata(
  file: Bytes,
  picture: Picture,
  target: ListedFormat,
): Promise<KeptMetadata> {
  const format = imageFormatOf(file);
  if (!format) return WITHOUT_METADATA;
  const { icc, exif } = picture.metadata;
  const stored = await readResolution(file, format, exif);
  // What lay on its side had the resolution of the other direction.
  const isTurned = stored !== undefined && (await isOnSide(new Blob([file]), format));
  const resolution = isTurned ? { x: stored.y, y: stored.x } : stored;
  if (!holdsMetadata(target)) return { metadata: resolution ? { resolution } : {}, warnings: [] };
  const { width, height } = picture;
  const image = { width, height, resolution, isSrgb: icc === undefined };
  const wasTurned = !isUpright(await readOrientation(file, format));
  const iptc = (await readIptc(file, format)) ?? picture.metadata.iptc;
  // In other formats the datasets become XMP.
  const holdsIptc = target.holds.metadata.includes('iptc');
  const { xmp: main } = picture.metadata;
  const packet = main && joinExtendedXmp(file, main);
  const described =
    packet && describeImageInXmp(packet, { ...image, wasTurned, mediaType: target.mediaType });
  const xmp = iptc && !holdsIptc ? addIptcToXmp(described, iptc) : described;
  const found: ImageMetadata = {
    ...(icc && { icc }),
    ...withExif(exif && describeImageInExif(exif, image), resolution, target),
    ...(xmp && { xmp }),
    ...(iptc && holdsIptc && { iptc }),
    ...(resolution && { resolution }),
  };
  const gainMap = (await readContents(file, format)).hasGainMap ? [formatWarning('gain_map')] : [];
  const unread = packet && !described ? [formatWarning('unreadable_xmp')] : [];
  return { metadata: found, warnings: [...unread, ...gainMap, ...oversizedBlocks(found, target)] };
}

function withExif(
  exif: Bytes | undefined,
  resolution: ImageMetadata['resolution'],
  target: ListedFormat,
): Pick<ImageMetadata, 'exif'> {
  if (exif) return { exif };
  const needsExif = resolution !== undefined && !target.holds.metadata.includes('resolution');
  return needsExif ? { exif: createResolutionExif(resolution) } : {};
}

/**
 * Names the blocks that a JPEG cannot hold: EXIF and IPTC have one segment each, and XMP an extension for what can be
 * moved there.
 */
function oversizedBlocks({ exif, xmp, iptc }: ImageMetadata, { id }: ListedFormat): RunWarning[] {
  if (id !== 'jpeg') return [];
  const { exif: exifMax, xmp: xmpMax, iptc: iptcMax } = JPEG_BLOCK_BYTES_MAX;
  return [
    ...((exif?.length ?? 0) > exifMax ? [formatWarning('oversized_metadata', 'EXIF')] : []),
    ...((iptc?.length ?? 0) > iptcMax ? [formatWarning('oversized_metadata', 'IPTC')] : []),
    ...(xmp && xmp.length > xmpMax && !splitXmp(xmp, xmpMax)
      ? [formatWarning('oversized_metadata', 'XMP')]
      : []),
  ];
}
