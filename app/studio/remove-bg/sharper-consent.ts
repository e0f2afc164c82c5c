'use client';

import { useSyncExternalStore } from 'react';
import { LocalEntry } from '../../ui/local-entry.ts';
import type { Consent } from './plan-sharper.ts';

const entry = new LocalEntry('darkroom-sharper-models');

/** Stores the visitor's choice; undefined asks again. */
export function saveConsent(consent: Consent): void {
  entry.save(consent ?? null);
}

/** Returns the visitor's choice and follows changes in any tab; undefined while the server renders the page. */
export function useConsent(): Consent {
  const stored = useSyncExternalStore(entry.subscribe, entry.get, () => null);
  return stored === 'yes' || stored === 'no' ? stored : undefined;
}
