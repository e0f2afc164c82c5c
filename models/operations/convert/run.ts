import { fieldError } from '../../core/operation/errors.ts';
import type { OutputFile, RunResult } from '../../core/operation/run-result.ts';
import type { ImageMetadata, Picture } from '../../core/runtime/image-codec.ts';
import { steps } from '../../core/runtime/progress.ts';
import { WHITE } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { isUpright } from '../../kernels/raster/orient-raster.ts';
import { describeImageInExif } from '../../media/image/exif/describe-image.ts';
import { createResolutionExif } from '../../media/image/exif/set-resolution.ts';
import {
  getImageFormat,
  getTarget,
  holdsMetadata,
  type ListedFormat,
} from '../../media/image/find-format.ts';
import { joinExtendedXmp } from '../../media/image/jpeg/extended-xmp.ts';
import { JPEG_BLOCK_BYTES_MAX } from '../../media/image/jpeg/write-metadata.ts';
import { readIptc, readOrientation, readResolution } from '../../media/image/metadata.ts';
import { listLostImages, readContents } from '../../media/image/read-contents.ts';
import { completeFile } from '../../media/image/read-image-file.ts';
import { isOnSide } from '../../media/image/upright-image.ts';
import { addIptcToXmp } from '../../media/image/xmp/add-properties.ts';
import { describeImageInXmp } from '../../media/image/xmp/describe-image.ts';
import { splitXmp } from '../../media/image/xmp/split-packet.ts';
import type { ConvertParams } from './schema.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface KeptMetadata {
  readonly metadata: ImageMetadata;
  readonly warnings: readonly RunWarning[];
}

const WITHOUT_METADATA: KeptMetadata = { metadata: {}, warnings: [] };

/** Encoders are slower than decoders. */
export const STEPS = steps({ decoding: 0.3, encoding: 0.7 });

/**
 * Converts one image. The image becomes upright, in sRGB unless its metadata stays with it.
 * @throws OperationError `unprocessable` when the image is corrupt or does not fit the target
 */
export async function run(input: Blob, params: ConvertParams, runtime: Runtime): Promise<RunResult> {
  const { images, signal } = runtime;
  const target = getTarget(params.to_format);
  const { step } = STEPS.of(runtime.progress);
  const colour = params.keep_metadata && holdsMetadata(target) ? 'own' : 'srgb';
  const picture = await step('decoding', () =>
    images.decode(input, { frames: target.holds.several ? 'all' : 'first', colour, signal }),
  );
  if (target.sideMax && Math.max(picture.width, picture.height) > target.sideMax) {
    throw fieldError(
      'to_format',
      `${params.to_format} holds at most ${target.sideMax} pixels per side, but the image has ${picture.width} x ${picture.height}. Choose png, tiff or heic.`,
      { code: 'unprocessable', kind: 'too_large_for_format' },
    );
  }
  const { kept, lost } = await readSource(input, picture, params);
  const blob = await step('encoding', (onProgress) =>
    images.encode(picture, {
      format: target.id,
      quality: params.quality,
      background: WHITE,
      metadata: kept.metadata,
      signal,
      onProgress,
    }),
  );
  const file: OutputFile = { name: `output.${params.to_format}`, mediaType: target.mediaType, blob };
  return {
    files: [file],
    engine: 'codec',
    warnings: [...getWarnings(picture, params), ...lost, ...kept.warnings],
  };
}

interface SourceFacts {
  readonly kept: KeptMetadata;
  readonly lost: readonly RunWarning[];
}

/** Reads from the source file what its decoded image does not tell. */
async function readSource(input: Blob, picture: Picture, params: ConvertParams): Promise<SourceFacts> {
  const bytes = new Uint8Array(await input.arrayBuffer());
  const format = getImageFormat(bytes);
  const file = format ? (await completeFile(bytes, format)).bytes : bytes;
  const kept = params.keep_metadata
    ? await collectMetadata(file, picture, getTarget(params.to_format))
    : WITHOUT_METADATA;
  // A file that ends after its first frame has lost the others before.
  const isCutOff = picture.warnings?.some(({ kind }) => kind === 'missing_frames') ?? false;
  return { kept, lost: isCutOff ? [] : await listLostImages(file, picture.frameCount) };
}

/** Lists what the conversion lost although it was requested or the target could hold it. */
function getWarnings(picture: Picture, { to_format, keep_metadata }: ConvertParams): RunWarning[] {
  const target = getTarget(to_format);
  const warnings = [...(picture.warnings ?? [])];
  if (target.holds.is16Bit && picture.fileBitDepth && picture.fileBitDepth > picture.bitDepth) {
    const { fileBitDepth, bitDepth } = picture;
    warnings.push(formatWarning('fewer_bits', String(fileBitDepth), String(bitDepth)));
  }
  if (keep_metadata && !holdsMetadata(target)) {
    warnings.push(formatWarning('no_metadata', to_format));
  }
  return warnings;
}

/**
 * Collects the metadata of a source file for its conversion, made true of the result: an upright image of this size,
 * colour space and format, without thumbnail or gain map.
 * @param file the whole source
 * @param picture its decoded image
 */
async function collectMetadata(file: Bytes, picture: Picture, target: ListedFormat): Promise<KeptMetadata> {
  const format = getImageFormat(file);
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
