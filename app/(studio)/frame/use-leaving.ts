'use client';

import { useEffect, useState } from 'react';

/** Gives a signal that aborts when what asked for it leaves the page. */
export function useLeaving(): () => AbortSignal {
  const [left] = useState<{ work?: AbortController }>({});
  useEffect(() => () => left.work?.abort(), [left]);
  return () => {
    left.work = new AbortController();
    return left.work.signal;
  };
}
