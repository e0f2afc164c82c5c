'use client';

import { useRef } from 'react';
import type { BackgroundChoice } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import { useSessionState } from '../../session/use-session-state.ts';
import { isTransparent, TRANSPARENT, WHITE } from '../background/backgrounds.ts';
import { type CanvasEdits, IN_PLACE } from '../placement/canvas-edits.ts';

/** Background and placement, which all results share. */
interface SharedEdits {
  readonly background: BackgroundChoice;
  readonly canvas: CanvasEdits;
}

export interface SharedEditsState extends SharedEdits {
  /** @param gesture as of `setCanvas` */
  setBackground(background: BackgroundChoice, gesture?: string): void;
  /**
   * @param gesture name of what a slider, a drag or typing changes: its changes in quick succession are undone
   *   together; every other change is undone alone
   */
  setCanvas(change: Partial<CanvasEdits>, gesture?: string): void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  undo(): void;
  redo(): void;
}

interface History {
  readonly past: readonly SharedEdits[];
  readonly future: readonly SharedEdits[];
}

const NO_HISTORY: History = { past: [], future: [] };
const STEPS_MAX = 50;
/** Pause after which the same control begins another step. */
const GESTURE_PAUSE_MS = 1000;
const NO_GESTURE = { gesture: undefined, at: 0 };

/** Keeps background and placement with the steps back, over reloads. */
export function useSharedEdits(): SharedEditsState {
  const [background, setBackground] = useSessionState<BackgroundChoice>('remove-bg/background', TRANSPARENT);
  const [canvas, setCanvas] = useSessionState<CanvasEdits>('remove-bg/canvas', IN_PLACE);
  const [history, setHistory] = useSessionState<History>('remove-bg/look-history', NO_HISTORY);
  const last = useRef<{ readonly gesture: string | undefined; readonly at: number }>(NO_GESTURE);
  const now = { background, canvas };
  const show = (shared: SharedEdits) => {
    setBackground(shared.background);
    setCanvas(shared.canvas);
  };
  const change = (shared: SharedEdits, gesture: string | undefined) => {
    const { gesture: before, at } = last.current;
    const isSame = gesture !== undefined && gesture === before && Date.now() - at < GESTURE_PAUSE_MS;
    last.current = { gesture, at: Date.now() };
    if (!isSame) setHistory(({ past }) => ({ past: [...past, now].slice(-STEPS_MAX), future: [] }));
    show(shared);
  };
  const step = ({ past, future }: History, shared: SharedEdits | undefined) => {
    if (!shared) return;
    last.current = NO_GESTURE;
    setHistory({ past, future });
    show(shared);
  };
  const { past, future } = history;
  return {
    ...now,
    setBackground: (next, gesture) => change({ ...now, background: next }, gesture),
    setCanvas: (next, gesture) =>
      change({ background: backgroundBehind(background, next), canvas: { ...canvas, ...next } }, gesture),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    undo: () => step({ past: past.slice(0, -1), future: [...future, now] }, past.at(-1)),
    redo: () => step({ past: [...past, now], future: future.slice(0, -1) }, future.at(-1)),
  };
}

/** Marketplaces ask for white. */
function backgroundBehind(background: BackgroundChoice, { size }: Partial<CanvasEdits>): BackgroundChoice {
  return size === 'marketplace' && isTransparent(background) ? WHITE : background;
}
