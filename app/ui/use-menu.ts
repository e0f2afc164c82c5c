'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';

interface MenuState {
  readonly menu: RefObject<HTMLDetailsElement | null>;
  readonly isOpen: boolean;
  /** Handler of the element's `toggle` event. */
  readonly onToggle: () => void;
}

/**
 * Follows a `<details>` that is a menu: it closes when the focus or a press goes elsewhere, and on Escape, which
 * returns the focus to its summary. It opens without script, too.
 */
export function useMenu(): MenuState {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const onToggle = () => setIsOpen(menu.current?.open ?? false);

  // A visitor may open it before the page has its scripts.
  useEffect(() => setIsOpen(menu.current?.open ?? false), []);

  useEffect(() => {
    const details = menu.current;
    if (!details) return;
    const ending = new AbortController();
    const { signal } = ending;
    // Listens while it is closed, too: it opens at once, and `toggle` is reported later.
    const leave = ({ target }: Event) => {
      if (!details.contains(target as Node)) details.open = false;
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !details.open) return;
      details.open = false;
      details.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', leave, { signal });
    document.addEventListener('focusin', leave, { signal });
    document.addEventListener('keydown', closeByKey, { signal });
    return () => ending.abort();
  }, []);

  return { menu, isOpen, onToggle };
}
