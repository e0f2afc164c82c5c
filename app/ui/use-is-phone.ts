'use client';

import { useSyncExternalStore } from 'react';

/** Windows in which the settings are a sheet: the same condition as in the style sheets of the frame. */
const PHONE = '(width <= 800px) and (height >= 500px)';

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is a phone's. False on the server. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(PHONE).matches,
    () => false,
  );
}
