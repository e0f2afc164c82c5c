'use client';

import { useSyncExternalStore } from 'react';

/** Name in this browser's local storage, which no other site can read. */
const NAME = 'darkroom-api-key';

const listeners = new Set<() => void>();

/** Returns the visitor's API key; null without one, or where the browser forbids storage. */
export function readApiKey(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/**
 * Stores the API key.
 * @throws DOMException where the browser forbids storage
 */
export function saveApiKey(apiKey: string): void {
  localStorage.setItem(NAME, apiKey);
  tell();
}

export function removeApiKey(): void {
  localStorage.removeItem(NAME);
  tell();
}

/** Returns the current API key and follows changes in any tab. Null while the server renders the page. */
export function useApiKey(): string | null {
  return useSyncExternalStore(subscribe, readApiKey, () => null);
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The event reaches other tabs only, hence our own listeners.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
