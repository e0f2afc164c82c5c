'use client';

import { useEffect, useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { countFiles } from '../batch/totals.ts';
import { mediaKind } from '../files/media-kind.ts';
import { probeImageFile } from '../files/probe-image.ts';
import type { ParamValues } from '../frame/fields.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { usePrice } from '../frame/use-price.ts';
import { seconds } from '../text/quantities.ts';
import { probeVideo } from './probe-video.ts';
import styles from './settings.module.css';

/** Seconds for each pixel of an image or a frame, by settings: measured under the loupe on this device. */
export type Pace = ReadonlyMap<string, number>;

/** Names what the time of a run depends on, besides its pixels. */
export function paceKey({ model, scale }: ParamValues, isVideo: boolean): string {
  return `${model} ${scale} ${isVideo ? 'video' : 'image'}`;
}

interface EstimateProps {
  readonly work: FileRuns;
  readonly pace: Pace;
  readonly paramsFor: (file: File) => object;
}

/** Says before the start how long the files take here, and what they cost on the server. */
export function Estimate({ work, pace, paramsFor }: EstimateProps) {
  const { items, isRunning, outdated, values, where } = work;
  const due = isRunning
    ? []
    : items.filter((item) => item.state.phase === 'waiting' || outdated.includes(item));
  const pixels = usePixels(due);
  const price = usePrice('upscale', due, paramsFor);
  if (due.length === 0 || where === 'server') return null;
  const times = due.map(({ id, file }) => {
    const rate = pace.get(paceKey(values, mediaKind(file) === 'video'));
    return (rate ?? Number.NaN) * (pixels.get(id) ?? Number.NaN);
  });
  const here = times.reduce((sum, each) => sum + each, 0);
  return (
    <p className={styles.note}>
      {countFiles(due)}:{' '}
      {Number.isNaN(here)
        ? 'free on this device'
        : `about ${seconds(Math.max(1, Math.round(here)))} here, free`}
      {price && `, or $${price.usd} on our server`}.
    </p>
  );
}

/** Counts the pixels that are enlarged in each file, all frames of a video together, by the ids of the files. */
function usePixels(items: readonly BatchItem[]): ReadonlyMap<number, number> {
  const [known, setKnown] = useState<ReadonlyMap<number, number>>(new Map());
  const missing = items.filter(({ id }) => !known.has(id));
  const key = missing.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names all that is missing
  useEffect(() => {
    for (const { id, file } of missing) {
      pixelsOf(file).then(
        (count) => setKnown((before) => new Map(before).set(id, count)),
        // The run itself says what is wrong with the file.
        () => {},
      );
    }
  }, [key]);
  return known;
}

async function pixelsOf(file: File): Promise<number> {
  if (mediaKind(file) !== 'video') {
    const { width, height } = await probeImageFile(file);
    return width * height;
  }
  const { width, height, durationSeconds, frameRate } = await probeVideo(file);
  return width * height * durationSeconds * (frameRate ?? Number.NaN);
}
