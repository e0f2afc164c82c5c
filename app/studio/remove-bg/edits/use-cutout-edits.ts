'use client';

import type { CutoutEdits, VideoEdits } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { useSessionState } from '../../session/use-session-state.ts';
import { getPlacement } from '../placement/canvas-edits.ts';
import { type SharedEditsState, useSharedEdits } from './use-shared-edits.ts';

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
  editsOf(id: number): CutoutEdits;
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
    editsOf: (id) => ({
      strokes: getPainting(id).strokes,
      background: shared.background,
      format,
      placement: getPlacement(shared.canvas),
    }),
  };
}
