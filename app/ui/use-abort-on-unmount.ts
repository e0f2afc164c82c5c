'use client';

import { useEffect, useState } from 'react';

export interface AbortScope {
  /**
   * Begins work.
   * @returns a signal that aborts through `end`
   */
  begin(): AbortSignal;
  end(): void;
}

/** Creates a scope whose work aborts also when the component unmounts. */
export function useAbortOnUnmount(): AbortScope {
  const [leaving] = useState(createAbortScope);
  useEffect(() => leaving.end, [leaving]);
  return leaving;
}

/** Creates a scope whose work only `end` aborts. */
export function createAbortScope(): AbortScope {
  let work: AbortController | undefined;
  return {
    begin() {
      work = new AbortController();
      return work.signal;
    },
    end: () => work?.abort(),
  };
}
