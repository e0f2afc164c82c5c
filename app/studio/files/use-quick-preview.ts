'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { getQuickPreview, thumbnailChanges } from './known-thumbnails.ts';
import { LARGE_BYTES } from './use-viewable.ts';

/** Many systems report no media type for HEIC. */
const HEIC = /hei[cf]/i;

/** Returns what can be shown of an image while it is decoded; undefined until there is something. */
export function useQuickPreview(image: Blob | undefined): Blob | undefined {
  useEffect(() => {
    if (!image || !takesLong(image)) return;
    const ending = new AbortController();
    import('./quick-preview.ts').then(
      ({ makeQuickPreview }) => makeQuickPreview(image, ending.signal),
      () => {},
    );
    return () => ending.abort();
  }, [image]);
  return useSyncExternalStore(
    thumbnailChanges.subscribe,
    () => image && getQuickPreview(image),
    () => undefined,
  );
}

function takesLong(image: Blob): boolean {
  return (
    image.size >= LARGE_BYTES || HEIC.test(image.type) || (image instanceof File && HEIC.test(image.name))
  );
}
