'use client';

import { useSyncExternalStore } from 'react';
import { hasPasskeys } from './passkeys.ts';

const subscribe = () => () => {};

/** Reports whether passkeys work in this browser; false while the server renders the page. */
export function useHasPasskeys(): boolean {
  return useSyncExternalStore(subscribe, hasPasskeys, () => false);
}
