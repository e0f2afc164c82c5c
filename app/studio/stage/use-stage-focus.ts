'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { moveFocus } from '../../state/last-input.ts';

/**
 * Moves the focus to the stage when the visitor adds files, and when the focused button disappears because a run begins
 * or ends or a file is removed: otherwise the focus would fall back to the start of the page.
 * @param additions how many times files were added; files that come back with the page do not count
 * @param count number of files
 * @returns ref of the stage, which must be focusable
 */
export function useStageFocus(
  additions: number,
  count: number,
  isRunning: boolean,
): RefObject<HTMLElement | null> {
  const stage = useRef<HTMLElement>(null);
  useEffect(() => {
    if (additions > 0) moveFocus(stage.current);
  }, [additions]);
  const before = useRef({ count, isRunning });
  useEffect(() => {
    const { count: countBefore, isRunning: wasRunning } = before.current;
    before.current = { count, isRunning };
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && (count < countBefore || isRunning !== wasRunning)) moveFocus(stage.current);
  }, [count, isRunning]);
  return stage;
}
