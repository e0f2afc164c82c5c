import { Cell } from '../../../models/core/cell.ts';
import { TabStore } from './tab-store.ts';

/** Owners of work that ends with the tab. */
const busy = new Set<object>();

/** Short, so that hardly anything is lost with a tab that crashes; long enough for one write of a brush stroke. */
const SAVE_DELAY_MS = 100;

const cells = new Map<string, Cell<unknown>>();

/** Names of states that changed before they were read: the visitor was faster. */
const changed = new Set<string>();

const unsaved = new Set<string>();

let restored: ReadonlyMap<string, unknown> = new Map();

let opening: Promise<TabStore | null> | undefined;

/** Opens the session of this tab, once; null where the browser stores nothing, and while the server renders. */
export function openSession(): Promise<TabStore | null> {
  opening ??= restore().catch(() => null);
  return opening;
}

async function restore(): Promise<TabStore | null> {
  if (typeof indexedDB === 'undefined') return null;
  const store = await TabStore.open();
  // The last change before a page is left has not waited for its turn.
  addEventListener('pagehide', () => void save());
  restored = new Map([...store.states].filter(([name]) => !changed.has(name)));
  for (const [name, value] of restored) {
    cells.get(name)?.set(value);
    unsaved.delete(name);
  }
  return store;
}

/**
 * Returns the state of a name, which outlives the page that shows it, and a reload.
 * @param initial plain data, files or blobs, as a structured clone holds them
 */
export function sessionCell<Value>(name: string, initial: Value): Cell<Value> {
  const known = cells.get(name);
  if (known) return known as Cell<Value>;
  const cell = new Cell<Value>(restored.has(name) ? (restored.get(name) as Value) : initial);
  cells.set(name, cell as Cell<unknown>);
  cell.subscribe(() => saveLater(name));
  return cell;
}

function saveLater(name: string): void {
  changed.add(name);
  unsaved.add(name);
  if (unsaved.size === 1) setTimeout(() => void save(), SAVE_DELAY_MS);
}

async function save(): Promise<void> {
  const store = await openSession();
  const states = new Map([...unsaved].map((name) => [name, cells.get(name)?.get()]));
  unsaved.clear();
  if (states.size > 0) await store?.write(states);
}

/** Asks before the tab closes as long as anybody is at work, whichever page is shown. */
export function guardTab(owner: object, isBusy: boolean): void {
  if (isBusy) busy.add(owner);
  else busy.delete(owner);
  if (busy.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
