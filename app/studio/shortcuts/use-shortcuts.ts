'use client';

import { useId, useLayoutEffect } from 'react';
import { removeShortcuts, type Shortcut, setShortcuts } from './shortcuts.ts';

/**
 * Registers shortcuts while the component is mounted: they work anywhere on the page, outside of text fields, and are
 * listed under `?`.
 * @param title heading of the group in the list; components may share one
 */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const id = useId();
  // After each render, so that `run` sees the current state; before the paint, so that what is seen has its keys.
  useLayoutEffect(() => setShortcuts(id, { title, shortcuts }));
  useLayoutEffect(() => () => removeShortcuts(id), [id]);
}
