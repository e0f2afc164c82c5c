'use client';

import { useEffect } from 'react';

/** Asks before the tab closes while a run is active. */
export function useCloseGuard(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isRunning]);
}
