import { moveFocus } from '../../state/last-input.ts';

/** Moves the focus to the stage of the tool, for a button that its own press removes. */
export function focusStage(): void {
  moveFocus(document.querySelector<HTMLElement>('section[data-stage]'));
}
