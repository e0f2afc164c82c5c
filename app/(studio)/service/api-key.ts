'use client';

import { useSyncExternalStore } from 'react';
import { LocalEntry } from '../settings/local-entry.ts';

const entry = new LocalEntry('darkroom-api-key');

/** Returns the visitor's API key; null without one, or where the browser forbids storage. */
export const readApiKey: () => string | null = entry.get;

/**
 * Stores the API key.
 * @throws DOMException where the browser forbids storage
 */
export function saveApiKey(apiKey: string): void {
  entry.set(apiKey);
}

export function removeApiKey(): void {
  entry.set(null);
}

/** Returns the current API key and follows changes in any tab. Null while the server renders the page. */
export function useApiKey(): string | null {
  return useSyncExternalStore(entry.subscribe, readApiKey, () => null);
}
