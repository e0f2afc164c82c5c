'use client';

import { useEffect, useState } from 'react';

/** Creates an object URL for a blob for as long as the component is mounted. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [made, setMade] = useState<{ blob: Blob; url: string }>();
  useEffect(() => {
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    setMade({ blob, url });
    return () => {
      URL.revokeObjectURL(url);
      // The same blob may come back, as by undo: its former URL leads nowhere.
      setMade(undefined);
    };
  }, [blob]);
  return made?.blob === blob ? made?.url : undefined;
}
