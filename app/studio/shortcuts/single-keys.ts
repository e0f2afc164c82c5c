import { LocalEntry } from '../../state/local-entry.ts';

const entry = new LocalEntry('single-key-shortcuts');
const OFF = 'off';

/** Whether shortcuts of one character are on, which they are until the visitor turns them off. */
export function hasSingleKeys(): boolean {
  return entry.get() !== OFF;
}

/** Stores the visitor's choice; it lasts as long as the page where the browser forbids storage. */
export function storeSingleKeys(isOn: boolean): void {
  entry.save(isOn ? null : OFF);
}
