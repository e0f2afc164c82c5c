'use client';

import type { RefObject } from 'react';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';

/** Opens the picker of the tool's own files: the first of the page. */
const CHOOSE = 'input[type=file][multiple]';
/** The primary action, unless it costs money: a key that is hit by accident must not. */
const ACT = '.button-primary:not(:disabled, [data-paid])';

/** Registers the shortcuts that every tool has. */
export function useFrameShortcuts(bench: RefObject<HTMLElement | null>): void {
  const press = (selector: string) => bench.current?.querySelector<HTMLElement>(selector)?.click();
  useShortcuts('Files', [
    { keys: ['O'], does: 'Choose files', run: () => press(CHOOSE) },
    { keys: ['Mod+V'], does: 'Add copied files or links' },
    { keys: ['Mod+Enter'], does: 'Do what the red button says', run: () => press(ACT) },
  ]);
}
