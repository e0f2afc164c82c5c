'use client';

import { useEffect, useState } from 'react';
import type { VideoFacts } from '../../../models/media/containers/video-header.ts';
import { formatSeconds } from '../../ui/quantities.ts';
import { mediaKind } from '../files/media-kind.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import type { BatchItem } from '../runs/batch.ts';
import { useRunFiles, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { usePrice } from '../runs/use-price.ts';
import type { ParamValues } from '../tools/fields.ts';
import type { UpscaleValues } from './upscalers.ts';

/** Seconds for each pixel of an image or a frame, by settings: measured under the loupe on this device. */
export type PixelTimings = ReadonlyMap<string, number>;

/** Names what the time of a run depends on, besides its pixels. */
export function timingKey({ model, scale }: UpscaleValues, isVideo: boolean): string {
  return `${model} ${scale} ${isVideo ? 'video' : 'image'}`;
}

interface EstimateProps {
  readonly timing: PixelTimings;
  readonly paramsFor: (file: File, values: ParamValues) => UpscaleValues;
}

/** Says before the start how long the files take here and on the server, and what they cost there. */
export function Estimate({ timing, paramsFor: paramsWith }: EstimateProps) {
  const { items, outdated } = useRunFiles();
  const { isRunning } = useRunOutline();
  const { values, location } = useRunSettings();
  const paramsFor = (file: File) => paramsWith(file, values);
  const due = isRunning
    ? []
    : items.filter((item) => item.state.phase === 'waiting' || outdated.includes(item));
  const work = useWork(due, paramsFor);
  const price = usePrice('upscale', due, paramsFor);
  if (due.length === 0 || location === 'server') return null;
  const works = due.map((item) => work.get(workKey(item, paramsFor)));
  const here = total(
    due.map(({ file }, at) => {
      const rate = timing.get(timingKey(paramsFor(file), mediaKind(file) === 'video'));
      return (rate ?? Number.NaN) * (works[at]?.pixels ?? Number.NaN);
    }),
  );
  const there = total(works.map((each) => each?.serverSeconds ?? Number.NaN));
  return (
    <p className="note">
      {Number.isNaN(here) ? 'Free here' : `Free here, about ${whole(here)}`}
      {price && `. On our server $${price.usd}${Number.isNaN(there) ? '' : `, about ${whole(there)}`}`}.
    </p>
  );
}

const total = (each: readonly number[]) => each.reduce((sum, next) => sum + next, 0);

const whole = (time: number) => formatSeconds(Math.max(1, Math.round(time)));

/** Work that a file is. */
interface FileWork {
  /** Pixels that are enlarged, all frames of a video together. */
  readonly pixels: number;
  /** Seconds that a server takes, without the upload and a queue. */
  readonly serverSeconds: number;
}

type ParamsFor = (file: File) => UpscaleValues;

const workKey = ({ id, file }: BatchItem, paramsFor: ParamsFor) => `${id} ${JSON.stringify(paramsFor(file))}`;

/** Returns the work of each file with its params, by `workKey`. */
function useWork(items: readonly BatchItem[], paramsFor: ParamsFor): ReadonlyMap<string, FileWork> {
  const [known, setKnown] = useState<ReadonlyMap<string, FileWork>>(new Map());
  const missing = items.filter((item) => !known.has(workKey(item, paramsFor)));
  const keys = missing.map((item) => workKey(item, paramsFor)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys name all that is missing
  useEffect(() => {
    for (const item of missing) {
      getWork(item.file, paramsFor(item.file)).then(
        (work) => setKnown((before) => new Map(before).set(workKey(item, paramsFor), work)),
        // The run itself says what is wrong with the file.
        () => {},
      );
    }
  }, [keys]);
  return known;
}

/** Loads what it computes with on first use, so that no page bundle contains it. */
async function getWork(file: File, params: object): Promise<FileWork> {
  const [{ networkSeconds }, { parseParams }, { paramsSchema }] = await Promise.all([
    import('../../../models/operations/upscale/run-time.ts'),
    import('../../../models/core/operation/params.ts'),
    import('../../../models/operations/upscale/schema.ts'),
  ]);
  const facts = await (mediaKind(file) === 'video' ? probeVideo(file) : probeImageFile(file));
  const frames = 'durationSeconds' in facts ? facts.durationSeconds * (facts.frameRate ?? Number.NaN) : 1;
  const serverSeconds = networkSeconds(facts, parseParams(paramsSchema, params));
  return { pixels: facts.width * facts.height * frames, serverSeconds };
}

/**
 * Reads the facts of a video, with code that is loaded for the first one.
 * @throws OperationError as `probeUpscaleVideo` does
 */
export async function probeVideo(video: Blob): Promise<VideoFacts> {
  const { probeUpscaleVideo } = await import('../../../models/operations/upscale/video-limits.ts');
  return probeUpscaleVideo(video);
}
