import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { Orientation } from '../../../models/kernels/raster/orient-raster.ts';
import { probeImage } from '../../../models/media/image/image-header.ts';
import { readJpegMetadata } from '../../../models/media/image/jpeg/segments.ts';
import {
  getOrientation,
  getTiffStream,
  resetExifOrientation,
  UPRIGHT,
} from '../../../models/media/image/metadata/exif.ts';

const TYPE = 'image/jpeg';
/** A block of a JPEG has 8 samples a side, of which a decoder can leave some out. */
const BLOCK = 8;
/** Above half of the size, a browser is as fast with all of it. */
const PART_MAX = BLOCK / 2;

/**
 * Decodes a JPEG at a fraction of its size: 40 megapixels take a quarter of the time of decoding them whole.
 * @param upright size of the result in pixels, in the shape of the upright image
 * @returns null where the browser cannot, or gains nothing by it
 * @throws DOMException or OperationError when the file is damaged
 */
export async function decodeScaledJpeg(image: Blob, upright: ImageSize): Promise<ImageBitmap | null> {
  if (!('ImageDecoder' in globalThis)) return null;
  const whole = await probeImage(image, { pixelsMax: Number.POSITIVE_INFINITY });
  if (whole.format !== 'jpeg') return null;
  const data = new Uint8Array(await image.arrayBuffer());
  const orientation = takeOrientation(data);
  const isOnSide = orientation.quarterTurns % 2 === 1;
  const [width, height] = isOnSide ? [upright.height, upright.width] : [upright.width, upright.height];
  const part = Math.ceil(BLOCK * Math.max(width / whole.width, height / whole.height));
  if (part > PART_MAX) return null;
  const decoder = new ImageDecoder({
    data,
    type: TYPE,
    desiredWidth: Math.ceil((whole.width * part) / BLOCK),
    desiredHeight: Math.ceil((whole.height * part) / BLOCK),
  });
  try {
    const { image: frame } = await decoder.decode();
    // A browser that scales otherwise would show less detail than was asked for.
    const isSharp = frame.displayWidth >= width && frame.displayHeight >= height;
    const bitmap = isSharp ? drawUpright(frame, { width, height }, orientation) : null;
    frame.close();
    return bitmap;
  } finally {
    decoder.close();
  }
}

/** Takes the orientation out of a JPEG: browsers differ in whether their decoder applies it. */
function takeOrientation(file: Uint8Array<ArrayBuffer>): Orientation {
  const { exif } = readJpegMetadata(file);
  const stream = exif && getTiffStream(exif);
  if (!stream) return UPRIGHT;
  const orientation = getOrientation(stream);
  stream.set(resetExifOrientation(stream));
  return orientation;
}

/** Draws an image upright. @param size before it is turned */
function drawUpright(
  image: CanvasImageSource,
  { width, height }: ImageSize,
  { quarterTurns, isMirrored }: Orientation,
): ImageBitmap | null {
  const isOnSide = quarterTurns % 2 === 1;
  const canvas = new OffscreenCanvas(isOnSide ? height : width, isOnSide ? width : height);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.translate(canvas.width / 2, canvas.height / 2);
  if (isMirrored) context.scale(-1, 1);
  context.rotate((quarterTurns * Math.PI) / 2);
  context.drawImage(image, -width / 2, -height / 2, width, height);
  return canvas.transferToImageBitmap();
}
