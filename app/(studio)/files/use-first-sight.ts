'use client';

import { useSyncExternalStore } from 'react';
import { useObjectUrl } from '../../ui/use-object-url.ts';
import { firstSight, thumbnailChanges } from './known-thumbnails.ts';

/** Returns the URL of what can be shown of an image while it is decoded; undefined without anything. */
export function useFirstSight(image: Blob | undefined): string | undefined {
  const found = useSyncExternalStore(
    thumbnailChanges.subscribe,
    () => image && firstSight(image),
    () => undefined,
  );
  return useObjectUrl(found);
}
