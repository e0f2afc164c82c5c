'use client';

import { useEffect, useState } from 'react';

/**
 * Reads facts from a file's header; undefined until then, without a file, and for one without a readable header.
 * @param probe the same function each time
 */
export function useFacts<Facts>(
  file: Blob | undefined,
  probe: (file: Blob) => Promise<Facts>,
): Facts | undefined {
  const [known, setKnown] = useState<{ file: Blob; facts: Facts }>();
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    probe(file).then(
      (facts) => isWanted && setKnown({ file, facts }),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [file, probe]);
  return known && known.file === file ? known.facts : undefined;
}
