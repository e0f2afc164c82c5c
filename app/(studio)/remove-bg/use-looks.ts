'use client';

import { useState } from 'react';
import type { Behind, Look, VideoLook } from '../../../models/remove-bg/look.ts';
import type { Stroke } from '../../../models/remove-bg/strokes.ts';
import { TRANSPARENT } from './backgrounds.ts';

/** Strokes of one picture, and those that were taken back. */
interface Painting {
  readonly strokes: readonly Stroke[];
  readonly undone: readonly Stroke[];
}

const UNTOUCHED: Painting = { strokes: [], undone: [] };

/**
 * How results shall look: the background is for all of them, a format for all pictures or all videos, strokes for one
 * picture. Changing them runs nothing.
 */
export interface Looks {
  readonly behind: Behind;
  readonly format: Look['format'];
  readonly videoFormat: VideoLook['format'];
  setBehind(behind: Behind): void;
  setFormat(format: Look['format']): void;
  setVideoFormat(format: VideoLook['format']): void;
  paintingOf(id: number): Painting;
  paint(id: number, stroke: Stroke): void;
  undo(id: number): void;
  redo(id: number): void;
  lookOf(id: number): Look;
}

export function useLooks(): Looks {
  const [behind, setBehind] = useState<Behind>(TRANSPARENT);
  const [format, setFormat] = useState<Look['format']>('png');
  // Of the two, the one that plays with transparency.
  const [videoFormat, setVideoFormat] = useState<VideoLook['format']>('webm');
  const [paintings, setPaintings] = useState<ReadonlyMap<number, Painting>>(new Map());
  const paintingOf = (id: number) => paintings.get(id) ?? UNTOUCHED;
  const change = (id: number, next: (painting: Painting) => Painting) =>
    setPaintings((before) => new Map(before).set(id, next(before.get(id) ?? UNTOUCHED)));
  return {
    behind,
    format,
    videoFormat,
    setVideoFormat,
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
