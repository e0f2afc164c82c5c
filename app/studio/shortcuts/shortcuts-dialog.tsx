'use client';

import { X } from 'lucide-react';
import { Fragment, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { isTypedIn } from '../../ui/hooks.ts';
import { LocalEntry } from '../../ui/local-entry.ts';
import { isSingleKey, listedShortcuts, type ShortcutGroup, shortcutFor, splitKeys } from './shortcuts.ts';
import styles from './shortcuts-dialog.module.css';
import { useShortcuts } from './use-shortcuts.ts';

const entry = new LocalEntry('single-key-shortcuts');

const OFF = 'off';

const OPEN = 'open-shortcuts';

/** Opens the list of shortcuts. */
export function openShortcuts(): void {
  window.dispatchEvent(new Event(OPEN));
}

/** Runs the registered shortcuts of the page, and lists them under `?`. */
export function ShortcutsDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isSingleOn, setSingleOn] = useState(true);
  const open = () => {
    setOpen(true);
    setSingleOn(hasSingleKeys());
    dialog.current?.showModal();
  };
  useShortcuts('Everywhere', [{ keys: ['?'], does: 'List all shortcuts', run: open }]);
  useKeys();
  useOpening(open);
  const close = () => dialog.current?.close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="shortcuts-title"
      onClose={() => setOpen(false)}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <div className={styles.content}>
        <header className={styles.head}>
          <h2 id="shortcuts-title">Keyboard shortcuts</h2>
          <button type="button" className="button-icon" aria-label="Close" onClick={close}>
            <X size={20} strokeWidth={1.5} aria-hidden />
          </button>
        </header>
        {isOpen && <Groups />}
        <label className={styles.single}>
          <input
            type="checkbox"
            checked={isSingleOn}
            onChange={({ currentTarget: { checked } }) => {
              setSingleOn(checked);
              storeSingleKeys(checked);
            }}
          />
          <span>Single-key shortcuts</span>
        </label>
      </div>
    </dialog>
  );
}

/** Lists the shortcuts of the visible components, including those that appear while the list is open. */
function Groups() {
  const { subscribe, get } = listedShortcuts;
  return useSyncExternalStore(subscribe, get, get).map((group) => <Group key={group.title} group={group} />);
}

function Group({ group: { title, shortcuts } }: { readonly group: ShortcutGroup }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((combination, at) => (
                <Fragment key={combination}>
                  {at > 0 && ' or '}
                  <Keys combination={combination} />
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
  Escape: 'Esc',
};

function Keys({ combination }: { readonly combination: string }) {
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return splitKeys(combination).map((key) => (
    <kbd key={key} className={styles.key}>
      {key === 'Mod' ? (isApple ? '⌘' : 'Ctrl') : (SIGNS[key] ?? key)}
    </kbd>
  ));
}

/** Runs the shortcut of each key press that no element has handled. */
function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A key typed with AltGr is a character, though Control and Alt count as pressed.
      const isTyped = event.getModifierState('AltGraph');
      const { key, shiftKey } = event;
      const press = isTyped ? { key, shiftKey, ctrlKey: false, metaKey: false, altKey: false } : event;
      if (event.defaultPrevented || isForElement(event) || document.querySelector('dialog[open]')) return;
      const shortcut = shortcutFor(press);
      if (!shortcut?.run || (isSingleKey(key) && isPlain(press) && !hasSingleKeys())) return;
      event.preventDefault();
      shortcut.run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isPlain({
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  return !ctrlKey && !metaKey && !altKey;
}

/** Elements that Space presses, or that arrow keys change. */
const CONTROL = 'a[href], button, input, select, summary, [role=slider], [role=radio], [role=tab]';

/** Whether a key belongs to the element that has the focus: it is typed in, or a control that the key works. */
function isForElement({ target, key }: KeyboardEvent): boolean {
  if (isTypedIn(target)) return true;
  return (key === ' ' || key.startsWith('Arrow')) && target instanceof HTMLElement && target.matches(CONTROL);
}

function useOpening(open: () => void): void {
  const onOpen = useEffectEvent(open);
  useEffect(() => {
    const listener = () => onOpen();
    window.addEventListener(OPEN, listener);
    return () => window.removeEventListener(OPEN, listener);
  }, []);
}

/** Whether shortcuts of one character are on, which they are until the visitor turns them off. */
function hasSingleKeys(): boolean {
  return entry.get() !== OFF;
}

/** Stores the visitor's choice; it lasts as long as the page where the browser forbids storage. */
function storeSingleKeys(isOn: boolean): void {
  entry.save(isOn ? null : OFF);
}
