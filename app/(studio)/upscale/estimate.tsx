'use client';

import { useEffect, useState } from 'react';
import type { ImageSize } from '../../../models/raster.ts';
import type { BatchItem } from '../batch/batch.ts';
import { countFiles } from '../batch/totals.ts';
import { mediaKind } from '../files/media-kind.ts';
import { probeImageFile } from '../files/probe-image.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { usePrice } from '../frame/use-price.ts';
import { seconds } from '../text/quantities.ts';
import styles from './settings.module.css';

/** Seconds for each pixel of an image, by settings: measured under the loupe on this device. */
export type Pace = ReadonlyMap<string, number>;

/** Names the settings that the time of a run depends on. */
export function paceKey(model: unknown, scale: unknown): string {
  return `${model} ${scale}`;
}

interface EstimateProps {
  readonly work: FileRuns;
  readonly pace: Pace;
  readonly paramsFor: (file: File) => object;
}

/** Says before the start how long the files take here, and what they cost on the server. */
export function Estimate({ work, pace, paramsFor }: EstimateProps) {
  const { items, isRunning, outdated, values, where } = work;
  const due = items.filter((item) => item.state.phase === 'waiting' || outdated.includes(item));
  const rate = pace.get(paceKey(values.model, values.scale));
  const images = due.filter(({ file }) => mediaKind(file) !== 'video');
  const sizes = useSizes(images);
  const price = usePrice('upscale', isRunning ? [] : due, paramsFor);
  if (isRunning || due.length === 0 || where === 'server') return null;
  const pixels = images.map(({ id }) => sizes.get(id));
  const isKnown =
    rate !== undefined && images.length === due.length && pixels.every((each) => each !== undefined);
  const here = isKnown ? rate * pixels.reduce((sum: number, each) => sum + (each ?? 0), 0) : undefined;
  return (
    <p className={styles.note}>
      {countFiles(due)}:{' '}
      {here === undefined
        ? 'free on this device'
        : `about ${seconds(Math.max(1, Math.round(here)))} here, free`}
      {price && `, or $${price.usd} on our server`}.
    </p>
  );
}

/** Reads how many pixels images have, by the ids of their files. */
function useSizes(items: readonly BatchItem[]): ReadonlyMap<number, number> {
  const [known, setKnown] = useState<ReadonlyMap<number, number>>(new Map());
  const missing = items.filter(({ id }) => !known.has(id));
  const key = missing.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names all that is missing
  useEffect(() => {
    for (const { id, file } of missing) {
      probeImageFile(file).then(
        ({ width, height }: ImageSize) => setKnown((before) => new Map(before).set(id, width * height)),
        // The run itself says what is wrong with it.
        () => {},
      );
    }
  }, [key]);
  return known;
}
