'use client';

import { Undo2, X } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import styles from './undo-notice.module.css';

/** Removal that can be taken back. */
interface Offer {
  /** Says what was removed: `3 files removed.` */
  readonly words: string;
  readonly undo: () => void;
}

export interface Undo {
  /** Last removal that was not taken back. */
  readonly offer: Offer | undefined;
  /** Offers to take a removal back, and then the one before it. */
  suggest(words: string, undo: () => void): void;
  /** Takes the last removal back. */
  undo(): void;
  /** Gives up all offers. */
  close(): void;
}

/** Time for which the offer stays, while neither the focus nor the pointer is on it. */
const SHOWN_MS = 10_000;

interface UndoNoticeProps {
  readonly undo: Undo;
  /** Takes the focus when the notice closes with it; focusable. */
  readonly home: RefObject<HTMLElement | null>;
}

/**
 * Says what was removed and offers to undo it. Takes the focus, since the button that had it may be gone with what it
 * removed.
 */
export function UndoNotice({ undo: { offer, undo, close }, home }: UndoNoticeProps) {
  const button = useRef<HTMLButtonElement>(null);
  const holding = useExpiry(offer, close);
  // With an earlier offer, the button takes the focus back.
  const leaveBy = (act: () => void) => () => {
    home.current?.focus({ preventScroll: true });
    act();
  };
  useEffect(() => {
    if (offer) button.current?.focus({ preventScroll: true });
  }, [offer]);
  return (
    <div className={styles.place}>
      {/* One element throughout: a screen reader announces changes only of a region that it knows. */}
      <p role="status" className="sr-only">
        {offer?.words}
      </p>
      {offer && (
        <fieldset className={styles.notice} aria-label="Removed" {...holding}>
          <span aria-hidden>{offer.words}</span>
          <button ref={button} type="button" className="button" onClick={leaveBy(undo)}>
            <Undo2 size={18} strokeWidth={1.5} aria-hidden />
            Undo
          </button>
          <button type="button" className="button-icon" aria-label="Dismiss" onClick={leaveBy(close)}>
            <X size={18} strokeWidth={1.5} aria-hidden />
          </button>
        </fieldset>
      )}
    </div>
  );
}

/** Closes the notice after a time. Returns the handlers of what holds it: the focus and the pointer. */
function useExpiry(offer: Undo['offer'], close: () => void) {
  const [isHeld, setIsHeld] = useState(false);
  const expire = useEffectEvent(close);
  useEffect(() => {
    // A notice that leaves with the focus on it gets no event that says so.
    if (offer) setIsHeld(false);
  }, [offer]);
  useEffect(() => {
    if (!offer || isHeld) return;
    const timer = setTimeout(expire, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [offer, isHeld]);
  return {
    onFocus: () => setIsHeld(true),
    onBlur: () => setIsHeld(false),
    onPointerEnter: () => setIsHeld(true),
    onPointerLeave: () => setIsHeld(false),
  };
}

/** Keeps the way back from removals, the last one first. */
export function useUndo(): Undo {
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const offer = offers.at(-1);
  return {
    offer,
    suggest: (words, undo) => setOffers((before) => [...before, { words, undo }]),
    undo() {
      setOffers((before) => before.slice(0, -1));
      offer?.undo();
    },
    close: () => setOffers([]),
  };
}
