'use client';

import { useState } from 'react';
import type { Behind, Look } from '../../../models/remove-bg/look.ts';
import type { Stroke } from '../../../models/remove-bg/strokes.ts';
import { TRANSPARENT } from './backgrounds.ts';
import { FIRST_VIDEO_LOOK, type VideoLook } from './video-look.ts';

/** Strokes of one picture, and those that were taken back. */
interface Painting {
  readonly strokes: readonly Stroke[];
  readonly undone: readonly Stroke[];
}

const UNTOUCHED: Painting = { strokes: [], undone: [] };

/**
 * How results shall look. Background and format are for all pictures, strokes for one, and changing them runs nothing.
 * Videos have a look of their own.
 */
export interface Looks {
  readonly behind: Behind;
  readonly format: Look['format'];
  readonly video: VideoLook;
  setBehind(behind: Behind): void;
  setFormat(format: Look['format']): void;
  setVideo(video: VideoLook): void;
  paintingOf(id: number): Painting;
  paint(id: number, stroke: Stroke): void;
  undo(id: number): void;
  redo(id: number): void;
  lookOf(id: number): Look;
}

export function useLooks(): Looks {
  const [behind, setBehind] = useState<Behind>(TRANSPARENT);
  const [format, setFormat] = useState<Look['format']>('png');
  const [video, setVideo] = useState(FIRST_VIDEO_LOOK);
  const [paintings, setPaintings] = useState<ReadonlyMap<number, Painting>>(new Map());
  const paintingOf = (id: number) => paintings.get(id) ?? UNTOUCHED;
  const change = (id: number, next: (painting: Painting) => Painting) =>
    setPaintings((before) => new Map(before).set(id, next(before.get(id) ?? UNTOUCHED)));
  return {
    behind,
    format,
    video,
    setVideo,
    setBehind,
    setFormat,
    paintingOf,
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
    lookOf: (id) => ({ strokes: paintingOf(id).strokes, behind, format }),
  };
}
