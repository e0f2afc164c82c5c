'use client';

import { useEffect, useState } from 'react';
import { openRegions, type RegionSession } from '../../../../workers/regions/enlarge-regions.ts';

/** Opens an image for its regions while it is wanted; null until then. */
export function useRegions(image: Blob | undefined): RegionSession | null {
  const [session, setSession] = useState<RegionSession | null>(null);
  useEffect(() => {
    if (!image) return;
    const opened = openRegions(image);
    setSession(opened);
    return () => {
      opened.end();
      setSession(null);
    };
  }, [image]);
  return session;
}
