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
 * Moves the focus without scrolling. A ring around what is focused is drawn only for visitors who use the keyboard:
 * after a click or drop it would look like an error, though browsers draw it when nothing had the focus before.
 */
export function moveFocus(target: HTMLElement | null): void {
  if (!target) return;
  if (!wasKey) {
    target.dataset.quietFocus = '';
    target.addEventListener('blur', () => delete target.dataset.quietFocus, { once: true });
  }
  target.focus({ preventScroll: true });
}
