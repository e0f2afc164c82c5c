'use client';

import { useEffect, useState } from 'react';
import { imageFormatOf } from '../../../models/kernels/image-header.ts';
import { run } from '../../../workers/bridge.ts';

const HEAD_BYTES = 64;
/** What no browser, or only some, can show in a page. */
const UNSEEN = ['heic', 'tiff'];

/** An address under which the page can show a picture; `null` when it cannot be shown, `undefined` while it is made. */
export type Viewable = string | null | undefined;

/** Pictures that the browser has no decoder for are shown as our own conversion of them. */
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

async function viewableBlob(blob: Blob, signal: AbortSignal): Promise<Blob> {
  const format = imageFormatOf(new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer()));
  if (!format || !UNSEEN.includes(format)) return blob;
  const options = { signal, onProgress: () => {} };
  const { files } = await run('media-convert-image', blob, { to_format: 'png' }, options);
  return files[0]?.blob ?? blob;
}
