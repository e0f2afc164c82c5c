'use client';

import { useEffect, useState } from 'react';

export interface Leaving {
  /** @returns a signal for work that begins now; it aborts by `end`, or when what began the work leaves the page */
  begin(): AbortSignal;
  end(): void;
}

/** Ends work that nobody on the page waits for any more. */
export function useLeaving(): Leaving {
  const [leaving] = useState(createLeaving);
  useEffect(() => leaving.end, [leaving]);
  return leaving;
}

function createLeaving(): Leaving {
  let work: AbortController | undefined;
  return {
    begin() {
      work = new AbortController();
      return work.signal;
    },
    end: () => work?.abort(),
  };
}
