'use client';

import { useSyncExternalStore } from 'react';

/** The name in this browser's local storage, which no other site can read. */
const NAME = 'darkroom-api-key';

const listeners = new Set<() => void>();

/** The visitor's key for the server; null without one, or where the browser forbids storage. */
export function readApiKey(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** @throws DOMException where the browser forbids storage */
export function keepApiKey(apiKey: string): void {
  localStorage.setItem(NAME, apiKey);
  tell();
}

export function forgetApiKey(): void {
  localStorage.removeItem(NAME);
  tell();
}

/** The key as it is now, whichever tab changed it. Null while the page is made on the server. */
export function useApiKey(): string | null {
  return useSyncExternalStore(subscribe, readApiKey, () => null);
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Told to the other tabs only, which is why there are listeners of our own.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
