/** Moves the focus to the stage of the tool, for a button that its own press removes. */
export function focusStage(): void {
  document.querySelector<HTMLElement>('section[data-stage]')?.focus({ preventScroll: true });
}
