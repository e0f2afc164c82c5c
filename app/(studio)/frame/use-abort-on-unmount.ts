'use client';

import { useEffect, useState } from 'react';

export interface AbortScope {
  /**
   * Begins work.
   * @returns a signal that aborts through `end`, or when the component unmounts
   */
  begin(): AbortSignal;
  end(): void;
}

/** Aborts work when its component unmounts. */
export function useAbortOnUnmount(): AbortScope {
  const [leaving] = useState(createLeaving);
  useEffect(() => leaving.end, [leaving]);
  return leaving;
}

function createLeaving(): AbortScope {
  let work: AbortController | undefined;
  return {
    begin() {
      work = new AbortController();
      return work.signal;
    },
    end: () => work?.abort(),
  };
}
