import type { Bytes } from '../../../models/files/bytes/byte-writer.ts';
import { readColours } from '../../../models/files/colours/read-colours.ts';
import { recolourPicture } from '../../../models/files/colours/recolour-picture.ts';
import { orientationOf } from '../../../models/files/exif/exif.ts';
import { readMatrixProfile } from '../../../models/files/icc/read-profile.ts';
import { readMetadata } from '../../../models/files/metadata/read-metadata.ts';
import { openOwnPage } from '../../../models/files/tiff/open-own-page.ts';
import { pictureOf } from '../../../models/kernels/picture/raster-picture.ts';
import type { DecodeOptions, Picture } from '../../../models/runtime/image-codec.ts';
import { METADATA_BYTES_MAX, openColoured } from './open-coloured.ts';
import { openSamples } from './open-samples.ts';
import { inflateAtMost } from './zlib.ts';

const inflateWithin = (packed: Bytes, bytesMax: number) => inflateAtMost(bytesMax)(packed);

/**
 * Opens a TIFF: with sharp where libvips reads its kind right, else with our own decoder.
 * @throws OperationError `unprocessable`
 */
export async function openTiff(file: Bytes, options: DecodeOptions): Promise<Picture> {
  const page = await openOwnPage(
    file,
    { frames: options.frames, orientation: orientationOf(file) },
    inflateWithin,
  );
  if (!page) return openColoured(file, 'tiff', options);
  options.signal.throwIfAborted();
  const { metadata } = await readMetadata(file, 'tiff', inflateAtMost(METADATA_BYTES_MAX));
  const { icc, ...others } = metadata;
  const { raster, hasAlpha, isSrgb, warnings } = page;
  const picture = { ...pictureOf(raster, { hasAlpha, metadata: others }), warnings };
  if (isSrgb) return picture;
  const colours = readColours(file, 'tiff', metadata);
  if (colours.kind !== 'profile') return recolourPicture(picture, colours, options);
  // A profile of curves needs no colour engine.
  if (readMatrixProfile(colours.icc))
    return recolourPicture(picture, { kind: 'stated', icc: colours.icc }, options);
  const { width, height, data } = raster;
  return openSamples(
    { width, height, channels: 4, hasAlpha, metadata, bitsPerSample: 16 },
    options,
    (samples) => samples.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  );
}
