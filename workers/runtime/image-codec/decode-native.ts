import { OperationError } from '../../../models/core/operation/errors.ts';
import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../../models/core/runtime/raster.ts';
import { isUpright, type Orientation, orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import { BitmapPicture, decodingError } from './pictures.ts';
import type { Source } from './source.ts';

/**
 * Decodes with the browser's own decoders: JPEG everywhere, other formats where an ImageDecoder supports them.
 * @returns null when this browser cannot
 * @throws OperationError `unprocessable`
 */
export async function openWithBrowser(
  source: Source,
  frames: DecodeOptions['frames'],
): Promise<Picture | null> {
  const type = getFormat(source.format).mediaType;
  try {
    if (source.format === 'jpeg') return await openBitmap(source);
    if (!('ImageDecoder' in globalThis && (await ImageDecoder.isTypeSupported(type)))) return null;
    const colorSpaceConversion = conversionOf(source);
    // An AVIF may hold a still image and a sequence.
    const preferAnimation = frames === 'all';
    return await openDecoder(
      new ImageDecoder({ type, data: source.bytes, colorSpaceConversion, preferAnimation }),
      source,
      frames,
    );
  } catch (cause) {
    source.signal.throwIfAborted();
    if (cause instanceof OperationError) throw cause;
    // Browsers read the common kinds of AVIF; others are worth another try.
    if (source.format === 'avif') return null;
    throw decodingError(cause);
  }
}

async function openDecoder(
  decoder: ImageDecoder,
  source: Source,
  frames: DecodeOptions['frames'],
): Promise<Picture> {
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  const track = decoder.tracks.selectedTrack;
  if (!track) throw new OperationError('unprocessable', 'The image has no frames.', { kind: 'damaged' });
  const frameCount = frames === 'all' ? track.frameCount : 1;
  const { image } = await decoder.decode();
  const hasAlpha = hasAlphaChannel(image) || (await someFrameHasAlpha(decoder, frameCount, source.signal));
  const orientation = orientationOf(image, source);
  const isOnSide = orientation.quarterTurns % 2 === 1;
  const { width, height } = sizeOf(image);
  image.close();
  if (frameCount === 1 && !hasAlpha && !isLeftLying(source)) {
    decoder.close();
    return openBitmap(source);
  }
  return {
    width: isOnSide ? height : width,
    height: isOnSide ? width : height,
    frameCount,
    loopCount: loopCountOf(track),
    hasAlpha,
    bitDepth: 8,
    metadata: source.metadata,
    frames: () => readFrames(decoder, frameCount, orientation, source.signal),
  };
}

async function* readFrames(
  decoder: ImageDecoder,
  frameCount: number,
  orientation: Orientation,
  signal: AbortSignal,
): AsyncIterable<Frame> {
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    signal.throwIfAborted();
    const { image } = await decoder.decode({ frameIndex });
    yield await readFrame(image, orientation);
    image.close();
  }
  decoder.close();
}

/**
 * Reads samples with straight alpha: a canvas would premultiply them, and so does a frame that converts. So they are
 * copied in their own layout and reordered here.
 */
async function readFrame(image: VideoFrame, orientation: Orientation): Promise<Frame> {
  const isInterleaved = image.format !== null && /^(RGB|BGR)[AX]$/.test(image.format);
  const options = isInterleaved ? {} : ({ format: 'RGBA' } as const);
  const data = new Uint8Array(image.allocationSize(options));
  await image.copyTo(data, options);
  if (isInterleaved) {
    if (image.format?.startsWith('BGR')) swapRedAndBlue(data);
    if (image.format?.endsWith('X')) for (let at = 3; at < data.length; at += 4) data[at] = 255;
  }
  const upright = orientRaster({ ...sizeOf(image), data }, orientation);
  return { ...upright, durationMs: (image.duration ?? 0) / 1000 };
}

function swapRedAndBlue(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 4) {
    const blue = data[at];
    data[at] = data[at + 2];
    data[at + 2] = blue;
  }
}

async function openBitmap(source: Source): Promise<BitmapPicture> {
  const bitmap = await createImageBitmap(new Blob([source.bytes]), {
    colorSpaceConversion: conversionOf(source),
    imageOrientation: 'from-image',
  });
  return new BitmapPicture(bitmap, source.metadata);
}

/**
 * Chooses the decoder's colour conversion: `default` converts a profile's values to sRGB; `none` keeps the samples,
 * where they stay in their profile, or where what the file states without one is applied later.
 */
function conversionOf({ format, metadata, profile, colours }: Source): ColorSpaceConversion {
  const isStated = colours.kind === 'stated' || colours.kind === 'hdr';
  return metadata.icc || isStated || (format === 'png' && !profile) ? 'none' : 'default';
}

function isLeftLying({ format, orientation }: Source): boolean {
  return getFormat(format).inBrowsers.ignoresExif === true && !isUpright(orientation);
}

/**
 * Reports whether any frame has alpha: a frame that clears the previous one leaves holes in an animation that began
 * opaque.
 */
async function someFrameHasAlpha(
  decoder: ImageDecoder,
  frameCount: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (let frameIndex = 1; frameIndex < frameCount; frameIndex++) {
    signal.throwIfAborted();
    const { image } = await decoder.decode({ frameIndex });
    const hasAlpha = hasAlphaChannel(image);
    image.close();
    if (hasAlpha) return true;
  }
  return false;
}

function hasAlphaChannel({ format }: VideoFrame): boolean {
  return format === null || format.includes('A');
}

/** Returns the number of plays: a decoder counts the repetitions after the first. */
function loopCountOf({ repetitionCount }: ImageTrack): number {
  return Number.isFinite(repetitionCount) ? repetitionCount + 1 : 0;
}

/** Not yet in the DOM's types: the frame's clockwise rotation, then horizontal mirroring. */
type TurnedFrame = VideoFrame & { readonly rotation?: number; readonly flip?: boolean };

function orientationOf(image: TurnedFrame, source: Source): Orientation {
  if (isLeftLying(source)) return source.orientation;
  const quarterTurns = ((image.rotation ?? 0) / 90) as Orientation['quarterTurns'];
  return { quarterTurns, isMirrored: image.flip ?? false };
}

function sizeOf({ visibleRect, codedWidth, codedHeight }: VideoFrame): { width: number; height: number } {
  return { width: visibleRect?.width ?? codedWidth, height: visibleRect?.height ?? codedHeight };
}
