'use client';

import { type RefObject, useEffect, useRef } from 'react';
import type { BatchView } from '../batch/batch.ts';

/**
 * Moves the focus to the stage when the visitor adds files, and when the focused button disappears because a run begins
 * or ends or a file is removed: otherwise the focus would fall back to the start of the page.
 * @param additions how many times files were added; files that come back with the page do not count
 * @returns ref of the stage, which must be focusable
 */
export function useStageFocus(
  additions: number,
  { items, isRunning }: Pick<BatchView, 'items' | 'isRunning'>,
): RefObject<HTMLElement | null> {
  const stage = useRef<HTMLElement>(null);
  useEffect(() => {
    if (additions > 0) focusOn(stage);
  }, [additions]);
  const before = useRef({ count: items.length, isRunning });
  useEffect(() => {
    const { count, isRunning: wasRunning } = before.current;
    before.current = { count: items.length, isRunning };
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && (items.length < count || isRunning !== wasRunning)) focusOn(stage);
  }, [items.length, isRunning]);
  return stage;
}

function focusOn({ current }: RefObject<HTMLElement | null>): void {
  current?.focus({ preventScroll: true });
}
