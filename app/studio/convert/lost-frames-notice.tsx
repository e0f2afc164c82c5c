'use client';

import { useEffect, useState } from 'react';
import { countFrames } from '../../../models/media/image/headers/read-contents.ts';
import type { BatchItem } from '../runs/batch.ts';
import styles from './convert.module.css';
import { describeLostFrames } from './lost-frames.ts';

/** Says before the run which frames a still format loses. */
export function LostFramesNotice({ items }: { readonly items: readonly BatchItem[] }) {
  const frames = useFrameCounts(items.map(({ file }) => file));
  const animated = items.flatMap(({ file: { name, type } }, at) => {
    const count = frames[at] ?? 1;
    return count > 1 ? [{ name, mediaType: type, frames: count }] : [];
  });
  const words = describeLostFrames(animated, items.length);
  return words && <p className={styles.loss}>{words}</p>;
}

const known = new WeakMap<File, number>();

/** Counts the frames of files, one after another; undefined until counted. */
function useFrameCounts(files: readonly File[]): readonly (number | undefined)[] {
  const [, setCounted] = useState(0);
  const next = files.find((file) => !known.has(file));
  useEffect(() => {
    if (!next) return;
    countFrames(next)
      .catch(() => 1)
      .then((frames) => {
        known.set(next, frames);
        setCounted((before) => before + 1);
      });
  }, [next]);
  return files.map((file) => known.get(file));
}
