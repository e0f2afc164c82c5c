import { Cell } from '../../../models/core/cell.ts';

/**
 * One thing that keys do. A combination joins modifiers and a name of `KeyboardEvent.key` with `+`: `?`, `V`,
 * `ArrowLeft`, `Mod+Z`, `Mod+Shift+Z`. `Mod` is Command on Apple's systems and Control elsewhere.
 */
export interface Shortcut {
  /** Combinations that all do the same. */
  readonly keys: readonly string[];
  /** Effect, in the imperative: `Show the next view`. */
  readonly does: string;
  /** Called from anywhere on the page. Absent where an element handles the keys itself: they are only listed. */
  readonly run?: () => void;
}

export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** The part of a `KeyboardEvent` that a combination is compared with. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Groups of the visible components, by the id of each. */
const groups = new Map<string, ShortcutGroup>();

/** List of the groups; groups with the same title are one. It changes only when its words do. */
export const listedShortcuts = new Cell<readonly ShortcutGroup[]>([]);

export function setShortcuts(id: string, group: ShortcutGroup): void {
  groups.set(id, group);
  updateList();
}

export function removeShortcuts(id: string): void {
  groups.delete(id);
  updateList();
}

/** Updates the list where its words changed. Components set their shortcuts after each render, mostly the same ones. */
function updateList(): void {
  listedShortcuts.set((before) => {
    const now = joinByTitle();
    return getWords(now) === getWords(before) ? before : now;
  });
}

function joinByTitle(): readonly ShortcutGroup[] {
  const byTitle = new Map<string, readonly Shortcut[]>();
  for (const { title, shortcuts } of groups.values()) {
    byTitle.set(title, [...(byTitle.get(title) ?? []), ...shortcuts]);
  }
  return [...byTitle].flatMap(([title, shortcuts]) => (shortcuts.length > 0 ? [{ title, shortcuts }] : []));
}

/** Returns all words and keys of a list as one text. JSON leaves out the functions that its shortcuts run. */
function getWords(list: readonly ShortcutGroup[]): string {
  return JSON.stringify(list);
}

/** Returns the shortcut that a key press runs; of several, the one that was registered last. */
export function shortcutFor(press: KeyPress): Shortcut | undefined {
  return [...groups.values()]
    .flatMap(({ shortcuts }) => shortcuts)
    .findLast(({ keys, run }) => run && keys.some((each) => isPress(each, press)));
}

/** Whether a combination is one character, which a visitor may type or say by accident (WCAG 2.2, 2.1.4). */
export function isSingleKey(combination: string): boolean {
  return combination.length === 1;
}

function isPress(combination: string, press: KeyPress): boolean {
  const parts = splitKeys(combination);
  const key = parts.at(-1) ?? '';
  if (key.toLowerCase() !== press.key.toLowerCase()) return false;
  // Which key has a sign, and whether with Shift, depends on the keyboard's language.
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  return (
    parts.includes('Mod') === (press.ctrlKey || press.metaKey) &&
    parts.includes('Alt') === press.altKey &&
    (isSign || parts.includes('Shift') === press.shiftKey)
  );
}

/** Splits a combination into its keys, in which the last may be `+` itself. */
export function splitKeys(combination: string): readonly string[] {
  return combination.split(/\+(?=.)/);
}
