import type { OutputFile, RunResult } from '../../core/operation/run-result.ts';
import type { ImageMetadata, ImageText, Picture } from '../../core/runtime/image-codec.ts';
import { type ReportProgress, steps } from '../../core/runtime/progress.ts';
import { type Geometry, type Rgb, type Rgba, WHITE } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { firstFrame, holdPicture } from '../../kernels/raster/picture.ts';
import { getImageFormat, getTarget, type ListedFormat } from '../../media/image/find-format.ts';
import type { MetadataKind } from '../../media/image/image-format.ts';
import { joinExtendedXmp } from '../../media/image/jpeg/extended-xmp.ts';
import { JPEG_BLOCK_BYTES_MAX } from '../../media/image/jpeg/write-metadata.ts';
import { addIptcToXmp } from '../../media/image/metadata/add-properties.ts';
import { encodeInProfile } from '../../media/image/metadata/convert-to-srgb.ts';
import { describeImageInExif } from '../../media/image/metadata/describe-exif.ts';
import { describeImageInXmp } from '../../media/image/metadata/describe-xmp.ts';
import { splitXmp } from '../../media/image/metadata/split-packet.ts';
import { readIptc, readOrientation, readResolution } from '../../media/image/metadata.ts';
import { PROPERTIES } from '../../media/image/png/read-texts.ts';
import { printResolution, withExif } from '../../media/image/print-resolution.ts';
import { listLostImages, readContents } from '../../media/image/read-contents.ts';
import { completeFile } from '../../media/image/read-image-file.ts';
import { lostMakerNote } from '../../media/image/tiff/write-metadata.ts';
import { isOnSide } from '../../media/image/upright-image.ts';
import { findQuality } from './find-quality.ts';
import { FOCUS_SIDE_MAX, type GeometryPlan, locateAttention, planGeometry, readColour } from './geometry.ts';
import type { ConvertParams } from './schema.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface KeptMetadata {
  readonly metadata: ImageMetadata;
  readonly warnings: readonly RunWarning[];
}

/** Pixels of a result up to which it is held in memory for several encodings; a larger one is decoded for each. */
const HELD_PIXELS_MAX = 25_000_000;

/** Encoders are slower than decoders. */
export const STEPS = steps({ decoding: 0.3, encoding: 0.7 });

/**
 * Converts one image. The image becomes upright, in sRGB unless its metadata stays with it; then its geometry changes.
 * @throws OperationError `unprocessable` when the image is corrupt, `bad_request` when it does not fit the params
 */
export async function run(input: Blob, params: ConvertParams, runtime: Runtime): Promise<RunResult> {
  const { step } = STEPS.of(runtime.progress);
  const target = getTarget(params.to_format);
  const opened = await step('decoding', () => openPlanned(input, params, runtime));
  const { picture, plan } = opened;
  const { kept, lost } = await readSource(input, opened, params);
  const encoded = await step('encoding', (onProgress) =>
    encodeWithin(input, opened, { params, metadata: kept.metadata, runtime, onProgress }),
  );
  const file: OutputFile = {
    name: `output.${params.to_format}`,
    mediaType: target.mediaType,
    blob: encoded.blob,
  };
  return {
    files: [file],
    engine: 'codec',
    warnings: [
      ...getWarnings(picture, params),
      ...lost,
      ...kept.warnings,
      ...plan.warnings,
      ...encoded.warnings,
    ],
  };
}

/** Decoded image with its plan, and the image that the plan makes of it. */
interface PlannedPicture {
  readonly picture: Picture;
  readonly plan: GeometryPlan;
  readonly result: Picture;
}

async function openPlanned(
  input: Blob,
  params: ConvertParams,
  { images, signal }: Pick<Runtime, 'images' | 'signal'>,
): Promise<PlannedPicture> {
  const target = getTarget(params.to_format);
  const colour = params.keep_metadata && target.holds.metadata.includes('icc') ? 'own' : 'srgb';
  const frames = target.holds.several ? 'all' : 'first';
  const picture = await images.decode(input, { frames, colour, signal });
  // All frames of an animation are cut like its first.
  const small =
    params.gravity === 'attention' ? await firstFrame(picture, { sideMax: FOCUS_SIDE_MAX }) : undefined;
  const plan = planGeometry(picture, params, small && locateAttention(small, picture, params));
  const geometry = plan.geometry && inColoursOf(picture, plan.geometry);
  return { picture, plan, result: geometry ? images.transform(picture, geometry) : picture };
}

/** Expresses the colours of a plan, which are in sRGB, in the profile of the image that they are painted on. */
function inColoursOf({ metadata: { icc } }: Picture, geometry: Geometry): Geometry {
  if (!icc) return geometry;
  const { pad, background } = geometry;
  return {
    ...geometry,
    pad: encodeInProfile(pad, icc),
    background: background && encodeInProfile(background, icc),
  };
}

interface Encoding {
  readonly params: ConvertParams;
  readonly metadata: ImageMetadata;
  readonly runtime: Pick<Runtime, 'images' | 'signal'>;
  readonly onProgress: ReportProgress;
}

/** Encodes an image, where `max_bytes` is given at the highest quality that fits. */
async function encodeWithin(
  input: Blob,
  { result }: PlannedPicture,
  { params, metadata, runtime, onProgress }: Encoding,
): Promise<{ readonly blob: Blob; readonly warnings: readonly RunWarning[] }> {
  const { images, signal } = runtime;
  const { max_bytes: bytesMax } = params;
  const { id: format } = getTarget(params.to_format);
  const background = toRgb(readColour(params.background));
  const encode = (picture: Picture, quality: number, report?: ReportProgress) =>
    images.encode(picture, {
      format,
      quality,
      background,
      metadata,
      signal,
      ...(report && { onProgress: report }),
    });
  if (bytesMax === undefined) return { blob: await encode(result, params.quality, onProgress), warnings: [] };
  const isHeld = result.width * result.height * result.frameCount <= HELD_PIXELS_MAX;
  const hold = isHeld
    ? await holdPicture(result)
    : async () => (await openPlanned(input, params, runtime)).result;
  const found = await findQuality({ quality: params.quality, bytesMax }, async (quality, done) => {
    onProgress({ fraction: done });
    return encode(await hold(), quality);
  });
  const bytes = found.blob.size;
  return {
    blob: found.blob,
    warnings: bytes > bytesMax ? [formatWarning('max_bytes_not_reached', String(bytes))] : [],
  };
}

/** Returns the colour behind transparent pixels in a format without them: white unless there is an opaque one. */
function toRgb(colour: Rgba | null): Rgb {
  if (colour?.[3] !== 1) return WHITE;
  const [r, g, b] = colour;
  return [Math.round(r * 255), Math.round(g * 255), Math.round(b * 255)];
}

interface SourceFacts {
  readonly kept: KeptMetadata;
  readonly lost: readonly RunWarning[];
}

/** Reads from the source file what its decoded image does not tell. */
async function readSource(
  input: Blob,
  { picture, plan }: PlannedPicture,
  params: ConvertParams,
): Promise<SourceFacts> {
  const bytes = new Uint8Array(await input.arrayBuffer());
  const format = getImageFormat(bytes);
  const file = format ? (await completeFile(bytes, format)).bytes : bytes;
  const kept = params.keep_metadata
    ? await collectMetadata(file, picture, plan, params)
    : { metadata: printResolution(params.dpi, getTarget(params.to_format)), warnings: [] };
  // A file that ends after its first frame has lost the others before.
  const isCutOff = picture.warnings?.some(({ kind }) => kind === 'missing_frames') ?? false;
  return { kept, lost: isCutOff ? [] : await listLostImages(file, picture.frameCount) };
}

/** Lists what the conversion lost although it was requested or the target could hold it. */
function getWarnings(picture: Picture, { to_format, keep_metadata, dpi }: ConvertParams): RunWarning[] {
  const target = getTarget(to_format);
  const warnings = [...(picture.warnings ?? [])];
  if (keep_metadata && !target.holds.metadata.includes('xmp')) {
    warnings.push(formatWarning('no_metadata', to_format));
  }
  if (dpi !== undefined && !holdsResolution(target)) warnings.push(formatWarning('no_resolution', to_format));
  return warnings;
}

function holdsResolution(target: ListedFormat): boolean {
  return target.holds.metadata.includes('exif') || target.holds.metadata.includes('resolution');
}

/**
 * Collects the metadata of a source file for its conversion, made true of the result: an upright image of this size,
 * colour space and format, without thumbnail or gain map.
 * @param file the whole source
 * @param picture its decoded image
 */
async function collectMetadata(
  file: Bytes,
  picture: Picture,
  { size, geometry }: GeometryPlan,
  { to_format, dpi }: ConvertParams,
): Promise<KeptMetadata> {
  const target = getTarget(to_format);
  const format = getImageFormat(file);
  if (!format) return { metadata: printResolution(dpi, target), warnings: [] };
  const { icc, exif } = picture.metadata;
  const stored = dpi === undefined ? await readResolution(file, format, exif) : { x: dpi, y: dpi };
  // What lay on its side had the resolution of the other direction.
  const quarterTurns = geometry?.orientation.quarterTurns ?? 0;
  const isTurned =
    stored !== undefined && (await isOnSide(new Blob([file]), format)) !== (quarterTurns % 2 === 1);
  const resolution = isTurned ? { x: stored.y, y: stored.x } : stored;
  const canHold = (kind: MetadataKind) => target.holds.metadata.includes(kind);
  const texts = sortTexts(picture.metadata.texts ?? [], target);
  if (!canHold('xmp')) return { metadata: resolution ? { resolution } : {}, warnings: texts.warnings };
  const image = { ...size, resolution, isSrgb: icc === undefined };
  const orientation = await readOrientation(file, format);
  const iptc = (await readIptc(file, format)) ?? picture.metadata.iptc;
  // In other formats the datasets become XMP.
  const holdsIptc = canHold('iptc');
  const { xmp: main } = picture.metadata;
  const packet = main && joinExtendedXmp(file, main);
  const described =
    packet &&
    describeImageInXmp(packet, {
      ...image,
      orientation,
      isReshaped: geometry !== undefined,
      mediaType: target.mediaType,
    });
  const xmp = iptc && !holdsIptc ? addIptcToXmp(described?.xmp, iptc) : described?.xmp;
  const found: ImageMetadata = {
    ...(icc && { icc }),
    ...(canHold('exif') && withExif(exif && describeImageInExif(exif, image), resolution, target)),
    ...(xmp && { xmp }),
    ...(iptc && holdsIptc && { iptc }),
    ...(resolution && { resolution }),
    ...(texts.kept.length > 0 && { texts: texts.kept }),
  };
  const gainMap = (await readContents(file, format)).hasGainMap ? [formatWarning('gain_map')] : [];
  const unread = packet && !described ? [formatWarning('unreadable_xmp')] : [];
  const lost = [
    ...(exif && !canHold('exif') ? [formatWarning('lost_blocks', target.targetNames[0], 'EXIF')] : []),
    ...(format === 'tiff' && lostMakerNote(file) ? [formatWarning('lost_maker_note')] : []),
    ...(described?.lost.length ? [formatWarning('lost_regions', described.lost.join(', '))] : []),
  ];
  const warnings = [...unread, ...lost, ...texts.warnings, ...gainMap, ...oversizedBlocks(found, target)];
  return { metadata: found, warnings };
}

/** Tells the texts that a target holds from those that it loses. Captions are in the XMP as well. */
function sortTexts(
  texts: readonly ImageText[],
  { targetNames, holds }: ListedFormat,
): { readonly kept: readonly ImageText[]; readonly warnings: readonly RunWarning[] } {
  const isHeld = ({ keyword }: ImageText) =>
    holds.metadata.includes('texts') && (holds.keywords?.includes(keyword) ?? true);
  const lost = texts.filter(
    (text) => !isHeld(text) && !(holds.metadata.includes('xmp') && Object.hasOwn(PROPERTIES, text.keyword)),
  );
  const keywords = [...new Set(lost.map(({ keyword }) => keyword))];
  return {
    kept: texts.filter(isHeld),
    warnings: keywords.length > 0 ? [formatWarning('lost_texts', targetNames[0], keywords.join(', '))] : [],
  };
}

/**
 * Names the blocks that a JPEG cannot hold: EXIF and IPTC have one segment each, and XMP an extension for what can be
 * moved there.
 */
function oversizedBlocks({ exif, xmp, iptc, texts = [] }: ImageMetadata, { id }: ListedFormat): RunWarning[] {
  if (id !== 'jpeg') return [];
  const { exif: exifMax, xmp: xmpMax, iptc: iptcMax, text: textMax } = JPEG_BLOCK_BYTES_MAX;
  const isLong = ({ text }: ImageText) => new TextEncoder().encode(text).length > textMax;
  return [
    ...((exif?.length ?? 0) > exifMax ? [formatWarning('oversized_metadata', 'EXIF')] : []),
    ...((iptc?.length ?? 0) > iptcMax ? [formatWarning('oversized_metadata', 'IPTC')] : []),
    ...(xmp && xmp.length > xmpMax && !splitXmp(xmp, xmpMax)
      ? [formatWarning('oversized_metadata', 'XMP')]
      : []),
    ...(texts.some(isLong) ? [formatWarning('oversized_metadata', 'comment')] : []),
  ];
}
