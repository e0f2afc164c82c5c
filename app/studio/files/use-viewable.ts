'use client';

import { useEffect, useState } from 'react';
import type { Progress, ReportProgress } from '../../../models/core/runtime/progress.ts';
import { isUpright } from '../../../models/kernels/raster/orient-raster.ts';
import { getFormat, getImageFormat } from '../../../models/media/image/find-format.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import { keepThumbnail, knownThumbnail } from './known-thumbnails.ts';

/** Longest side of a thumbnail in pixels. */
const SIDE = 320;

const HEAD_BYTES = 64;

/** Size from which a browser takes so long to decode an image that a small copy is worth showing first. */
export const LARGE_BYTES = 3_000_000;

/** Time to convert a megapixel of HEIC, measured on two cores of an AMD EPYC. */
const MEGAPIXEL_SECONDS = 0.11;

/**
 * Object URL of an image that the page can show; `null` when it cannot be shown, `undefined` while it is being made.
 */
export type Viewable = string | null | undefined;

/** Image that is being opened. */
interface OpenedImage {
  readonly url: Viewable;
  /** Progress of its conversion, where it needs one and is not shown yet. */
  readonly progress: Progress | undefined;
}

/** Returns the URL of an image as `useOpenedImage` does, without the progress. */
export function useViewable(blob: Blob | undefined, owner: unknown = blob): Viewable {
  return useOpenedImage(blob, owner).url;
}

/**
 * Creates a URL for the image that `viewableBlob` returns.
 * @param owner what the image belongs to: a newer image of the same owner leaves the older one's URL until it has its
 * own
 */
export function useOpenedImage(blob: Blob | undefined, owner: unknown = blob): OpenedImage {
  const [shown, setShown] = useState<{ owner: unknown; url: string | null }>();
  const [opening, setOpening] = useState<{ blob: Blob; progress: Progress }>();

  useEffect(() => {
    if (!blob) return;
    const ending = new AbortController();
    const onProgress = (progress: Progress) => {
      if (!ending.signal.aborted) setOpening({ blob, progress });
    };
    viewableBlob(blob, ending.signal, onProgress).then(
      (viewable) => {
        if (ending.signal.aborted) return;
        const url = URL.createObjectURL(viewable);
        const show = () => (ending.signal.aborted ? URL.revokeObjectURL(url) : setShown({ owner, url }));
        if (viewable.size < LARGE_BYTES) return show();
        // Until then the page would show nothing in its place.
        decode(url).then(show);
      },
      () => !ending.signal.aborted && setShown({ owner, url: null }),
    );
    return () => ending.abort();
  }, [blob, owner]);
  useEffect(() => {
    const url = shown?.url;
    return () => {
      if (url) URL.revokeObjectURL(url);
    };
  }, [shown]);

  const url = blob && shown?.owner === owner ? shown?.url : undefined;
  return { url, progress: url === undefined && opening?.blob === blob ? opening?.progress : undefined };
}

/** Lets the browser decode an image ahead. Never rejects: the component that shows it notices that it cannot. */
async function decode(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {});
}

/** Returns the image itself where the browser can show it upright, else our own lossless conversion of it. */
export async function viewableBlob(
  blob: Blob,
  signal: AbortSignal,
  onProgress: ReportProgress = () => {},
): Promise<Blob> {
  const format = getImageFormat(new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer()));
  if (!format || (await isShownRight(blob, format))) return blob;
  const params = { to_format: await losslessFormat(blob, format) };
  const { runTimed } = await import('../run-times/run-timed.ts');
  const { files } = await runTimed('media-convert-image', blob, params, {
    signal,
    onProgress,
    isOpening: true,
    measuredSeconds: ({ amount }) => MEGAPIXEL_SECONDS * amount,
  });
  const converted = files[0]?.blob;
  if (converted) void rememberThumbnail(blob, converted);
  return converted ?? blob;
}

/** Chooses BMP where nothing is transparent: writing a photograph as PNG takes longer than decoding its HEIC. */
async function losslessFormat(blob: Blob, format: ImageFormat): Promise<'bmp' | 'png'> {
  const { hasAlpha } = await getFormat(format).load();
  if (!hasAlpha) return 'png';
  try {
    return hasAlpha(new Uint8Array(await blob.arrayBuffer())) ? 'png' : 'bmp';
  } catch {
    return 'png';
  }
}

async function isShownRight(blob: Blob, format: ImageFormat): Promise<boolean> {
  const { isShown, ignoresExif } = getFormat(format).inBrowsers;
  if (!isShown || !ignoresExif) return isShown;
  const { readExifOrientation } = await import('../../../models/media/image/upright-image.ts');
  return isUpright(await readExifOrientation(blob, format));
}

/** Makes the thumbnail of an image from its conversion. Never rejects: without one, the tile keeps its label. */
async function rememberThumbnail(image: Blob, converted: Blob): Promise<void> {
  if (knownThumbnail(image)) return;
  try {
    const bitmap = await createImageBitmap(converted, { resizeWidth: SIDE, resizeQuality: 'medium' });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    keepThumbnail(image, await canvas.convertToBlob({ type: 'image/webp' }));
  } catch {}
}
