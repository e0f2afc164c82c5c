'use client';

import { type RefObject, useEffect, useRef } from 'react';

/** Whether a key was the last thing that the visitor used; the pointer, a drop and a touch count as none. */
let wasKey = false;

if (typeof document !== 'undefined') {
  const options = { capture: true, passive: true };
  for (const [type, isKey] of [
    ['keydown', true],
    ['pointerdown', false],
    ['drop', false],
  ] as const) {
    document.addEventListener(type, () => (wasKey = isKey), options);
  }
}

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

/** Moves the focus to the stage of the tool, for a button that its own press removes. */
export function focusStage(): void {
  moveFocus(document.querySelector<HTMLElement>('section[data-stage]'));
}

/**
 * Moves the focus without scrolling. A ring around what is focused is drawn only for visitors who use the keyboard:
 * after a click or drop it would look like an error, though browsers draw it when nothing had the focus before.
 */
function moveFocus(target: HTMLElement | null): void {
  if (!target) return;
  if (!wasKey) {
    target.dataset.quietFocus = '';
    target.addEventListener('blur', () => delete target.dataset.quietFocus, { once: true });
  }
  target.focus({ preventScroll: true });
}
