'use client';

import { useEffect, useState } from 'react';
import type { ImageFormat } from '../../../models/image-codec.ts';
import { imageFormatOf } from '../../../models/kernels/image-header.ts';
import { isUpright } from '../../../models/kernels/orient-raster.ts';
import { exifOrientation, ignoresExif } from '../../../models/kernels/upright-image.ts';
import { run } from '../../../workers/bridge.ts';

const HEAD_BYTES = 64;
/** What no browser, or only some, can show in a page. */
const UNSEEN: readonly ImageFormat[] = ['heic', 'tiff'];

/** An address under which the page can show a picture; `null` when it cannot be shown, `undefined` while it is made. */
export type Viewable = string | null | undefined;

/** Of a picture as `viewableBlob` has it. */
export function useViewable(blob: Blob | undefined): Viewable {
  const [shown, setShown] = useState<{ blob: Blob; url: string | null }>();

  useEffect(() => {
    if (!blob) return;
    const ending = new AbortController();
    let url: string | undefined;
    viewableBlob(blob, ending.signal).then(
      (viewable) => {
        if (ending.signal.aborted) return;
        url = URL.createObjectURL(viewable);
        setShown({ blob, url });
      },
      () => !ending.signal.aborted && setShown({ blob, url: null }),
    );
    return () => {
      ending.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [blob]);

  return shown?.blob === blob ? shown?.url : undefined;
}

/** What the browser has no decoder for, or would show lying on its side, comes back as our own conversion of it. */
export async function viewableBlob(blob: Blob, signal: AbortSignal): Promise<Blob> {
  const format = imageFormatOf(new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer()));
  if (!format || (await isShownRight(blob, format))) return blob;
  const options = { signal, onProgress: () => {} };
  const { files } = await run('media-convert-image', blob, { to_format: 'png' }, options);
  return files[0]?.blob ?? blob;
}

async function isShownRight(blob: Blob, format: ImageFormat): Promise<boolean> {
  if (UNSEEN.includes(format)) return false;
  return !ignoresExif(format) || isUpright(await exifOrientation(blob, format));
}
