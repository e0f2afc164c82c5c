'use client';

import { useSyncExternalStore } from 'react';

/** Cookie that the server sets next to the one of a session, which scripts cannot read. It opens nothing. */
const HINT = /(^|;\s*)darkroom-signed-in=1/;

/** Returns whether the visitor is signed in, as far as this browser knows. False while the server renders the page. */
export function useSignedIn(): boolean {
  return useSignedInIfKnown() === true;
}

/** Returns the same, but undefined while the server renders the page and the browser has not taken it over. */
export function useSignedInIfKnown(): boolean | undefined {
  return useSyncExternalStore(subscribe, isSignedIn, () => undefined);
}

const isSignedIn = (): boolean | undefined => HINT.test(document.cookie);

/** Store of cookies as far as it is used here; not every browser has one. */
interface CookieEvents {
  readonly cookieStore?: EventTarget;
}

/** A sign-in in another tab shows at once, or where the browser does not report it once the visitor comes back. */
function subscribe(listener: () => void): () => void {
  const { cookieStore }: CookieEvents = window;
  window.addEventListener('focus', listener);
  document.addEventListener('visibilitychange', listener);
  cookieStore?.addEventListener('change', listener);
  return () => {
    window.removeEventListener('focus', listener);
    document.removeEventListener('visibilitychange', listener);
    cookieStore?.removeEventListener('change', listener);
  };
}
