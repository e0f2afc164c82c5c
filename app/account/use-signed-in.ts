'use client';

import { useSyncExternalStore } from 'react';

/** Cookie that the server sets beside a session's own, which scripts cannot read. It opens nothing. */
const HINT = /(^|;\s*)darkroom-signed-in=1/;

/** Returns whether somebody is signed in, as far as this browser knows. False while the server renders the page. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => HINT.test(document.cookie),
    () => false,
  );
}

/** A sign-in in another tab shows once the visitor comes back to this one. */
function subscribe(listener: () => void): () => void {
  window.addEventListener('focus', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    window.removeEventListener('focus', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}
