'use client';

import { useRef } from 'react';
import type {
  BackgroundChoice,
  CutoutEdits,
  VideoEdits,
} from '../../../../models/operations/remove-bg/cutout-edits.ts';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { useSessionState } from '../../session/use-session-state.ts';
import { backgroundBehind, TRANSPARENT } from '../backgrounds.ts';
import { type CanvasEdits, getPlacement, IN_PLACE } from './canvas-edits.ts';

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

interface EditHistory {
  readonly past: readonly SharedEdits[];
  readonly future: readonly SharedEdits[];
}

const NO_HISTORY: EditHistory = { past: [], future: [] };

const STEPS_MAX = 50;

/** Pause after which the same control begins another step. */
const GESTURE_PAUSE_MS = 1000;

const NO_GESTURE = { gesture: undefined, at: 0 };

/** Strokes of one image, and those that were undone. */
interface Painting {
  readonly strokes: readonly Stroke[];
  readonly undone: readonly Stroke[];
}

const UNTOUCHED: Painting = { strokes: [], undone: [] };

const NO_PAINTINGS: ReadonlyMap<number, Painting> = new Map();

/**
 * Edits to the results: the background and the placement apply to all files, a format to all images or all videos,
 * strokes to one image. They need no new run, and outlive the page.
 */
export interface ToolEdits {
  readonly shared: SharedEditsState;
  readonly format: CutoutEdits['format'];
  readonly videoFormat: VideoEdits['format'];
  setFormat(format: CutoutEdits['format']): void;
  setVideoFormat(format: VideoEdits['format']): void;
  getPainting(id: number): Painting;
  paint(id: number, stroke: Stroke): void;
  undo(id: number): void;
  redo(id: number): void;
  getEdits(id: number): CutoutEdits;
}

export function useCutoutEdits(): ToolEdits {
  const shared = useSharedEdits();
  const [format, setFormat] = useSessionState<CutoutEdits['format']>('remove-bg/format', 'png');
  // The format of the two that plays with transparency.
  const [videoFormat, setVideoFormat] = useSessionState<VideoEdits['format']>(
    'remove-bg/video-format',
    'webm',
  );
  const [paintings, setPaintings] = useSessionState('remove-bg/strokes', NO_PAINTINGS);
  const getPainting = (id: number) => paintings.get(id) ?? UNTOUCHED;
  const change = (id: number, next: (painting: Painting) => Painting) =>
    setPaintings((before) => new Map(before).set(id, next(before.get(id) ?? UNTOUCHED)));
  return {
    shared,
    format,
    videoFormat,
    setVideoFormat,
    setFormat,
    getPainting,
    paint: (id, stroke) => change(id, ({ strokes }) => ({ strokes: [...strokes, stroke], undone: [] })),
    undo: (id) =>
      change(id, ({ strokes, undone }) => ({
        strokes: strokes.slice(0, -1),
        undone: [...undone, ...strokes.slice(-1)],
      })),
    redo: (id) =>
      change(id, ({ strokes, undone }) => ({
        strokes: [...strokes, ...undone.slice(-1)],
        undone: undone.slice(0, -1),
      })),
    getEdits: (id) => ({
      strokes: getPainting(id).strokes,
      background: shared.background,
      format,
      placement: getPlacement(shared.canvas),
    }),
  };
}

/** Keeps background and placement with the steps back, over reloads. */
function useSharedEdits(): SharedEditsState {
  const [background, setBackground] = useSessionState<BackgroundChoice>('remove-bg/background', TRANSPARENT);
  const [canvas, setCanvas] = useSessionState<CanvasEdits>('remove-bg/canvas', IN_PLACE);
  const [history, setHistory] = useSessionState<EditHistory>('remove-bg/look-history', NO_HISTORY);
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
  const step = ({ past, future }: EditHistory, shared: SharedEdits | undefined) => {
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
