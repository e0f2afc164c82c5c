'use client';

import { useState } from 'react';

export interface Undo {
  /** Last removal, in words: `3 files removed.` */
  readonly offer: { readonly words: string; readonly undo: () => void } | undefined;
  /** Offers to take a removal back, in place of an earlier one. */
  suggest(words: string, undo: () => void): void;
  close(): void;
}

/** Keeps the way back from the last removal. */
export function useUndo(): Undo {
  const [offer, setOffer] = useState<Undo['offer']>();
  return {
    offer,
    suggest: (words, undo) => setOffer({ words, undo }),
    close: () => setOffer(undefined),
  };
}
