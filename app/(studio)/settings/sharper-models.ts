'use client';

import { useSyncExternalStore } from 'react';
import type { Consent } from '../remove-bg/sharper.ts';

/** Name in this browser's local storage. */
const NAME = 'darkroom-sharper-models';

const listeners = new Set<() => void>();
/** Where the browser forbids storage, the answer counts for this page. */
let unstored: Consent;

/** Stores the visitor's answer; undefined asks again. */
export function saveConsent(consent: Consent): void {
  unstored = consent;
  try {
    if (consent) localStorage.setItem(NAME, consent);
    else localStorage.removeItem(NAME);
  } catch {}
  for (const listener of listeners) listener();
}

/** Returns the visitor's answer and follows changes in any tab; undefined while the server renders the page. */
export function useConsent(): Consent {
  return useSyncExternalStore(subscribe, readConsent, () => undefined);
}

function readConsent(): Consent {
  try {
    const stored = localStorage.getItem(NAME);
    return stored === 'yes' || stored === 'no' ? stored : undefined;
  } catch {
    return unstored;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
