'use client';

import { type ComponentProps, useEffect, useState } from 'react';
import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import { isComplete, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import type { Scale } from '../../../models/operations/upscale/plan-passes.ts';
import { openRegions, type RegionSession } from '../../../workers/edits/enlarge-regions.ts';
import { useRunActions } from '../runs/runs-context.ts';
import { useStoredWeights } from '../runs/stored-weights.ts';
import { middleRegion } from '../stage/region-geometry.ts';
import type { RegionSelect } from '../stage/region-select.tsx';
import type { Loupe } from './loupe.tsx';
import type { LoupeNote } from './loupe-note.tsx';
import type { RegionBar } from './region-bar.tsx';
import { secondsPerPixel, type UpscaleValues, weightsFor } from './upscalers.ts';
import { useLoupe } from './use-loupe.ts';
import { useRegionRun } from './use-region-run.ts';

interface PreviewOptions {
  /** File of the stage: an image or a video. */
  readonly source: File;
  /** The image, or a frame of the video; undefined until there is one. */
  readonly file: Blob | undefined;
  readonly isFrame: boolean;
  /** Size of the image; undefined until it is known. */
  readonly image: ImageSize | undefined;
  readonly params: UpscaleValues;
  /** View of the stage; undefined while nothing may be computed first. */
  readonly view: string | undefined;
  readonly onTiming: (secondsPerPixel: number) => void;
}

/** Props of the stage's parts for a loupe and a region. */
export interface PreviewParts {
  readonly scale: Scale;
  readonly loupe: Omit<ComponentProps<typeof Loupe>, 'url' | 'image'>;
  readonly select: Omit<ComponentProps<typeof RegionSelect>, 'image'>;
  readonly bar: ComponentProps<typeof RegionBar>;
  readonly note: ComponentProps<typeof LoupeNote>;
}

const NOTHING: PixelRegion = { left: 0, top: 0, width: 0, height: 0 };

const MIDDLE = { x: 0.5, y: 0.5 };

/** Computes what is under the loupe, and a chosen region, before the whole image. */
export function usePreviews(options: PreviewOptions): PreviewParts {
  const { source, file, isFrame, image, params, view, onTiming } = options;
  const { batch } = useRunActions();
  const { model, scale } = params;
  const isWanted = view === 'loupe' || view === 'region' || view === 'original';
  const session = useRegions(isWanted ? file : undefined);
  const [at, move] = useState(MIDDLE);
  const [under, setUnder] = useState<PixelRegion>();
  const [drawn, setDrawn] = useState<PixelRegion>();
  const [loadedFor, setLoadedFor] = useState<unknown>();
  const missing = useMissingBytes(String(model), scale, isFrame);
  const isReady = missing === 0 || loadedFor === model;
  const order = (region: PixelRegion) => ({ region, params, isFrame });
  const isLoupe = view === 'loupe' && isReady;
  // The loupe shows pixels: their format does not matter.
  const result = useLoupe(
    session,
    { params: { ...params, output_format: undefined }, isFrame },
    isLoupe ? under : undefined,
  );
  const run = useRegionRun(source, batch, session, JSON.stringify(params));
  const timing = image && secondsPerPixel(result.wholeSeconds, image);
  useEffect(() => {
    if (timing !== undefined) onTiming(timing);
  }, [timing, onTiming]);
  const region = drawn ?? (image ? middleRegion(image) : NOTHING);
  const shown = run.result?.order;
  return {
    scale,
    loupe: { scale, at, result, onMove: move, onRegion: setUnder },
    select: {
      region: shown?.region ?? region,
      result: run.result?.file.blob,
      disabled: run.progress !== undefined,
      onRegion: setDrawn,
    },
    bar: {
      region: shown?.region ?? region,
      scale,
      run,
      estimate: timing && timing * region.width * region.height,
      onStart: () => run.start(order(region)),
    },
    note: {
      result,
      missingBytes: isReady ? undefined : missing,
      onLoad: () => setLoadedFor(model),
    },
  };
}

/** Returns the bytes that a model still has to load before it can run here; undefined until that is known. */
function useMissingBytes(model: string, scale: Scale, isVideo: boolean): number | undefined {
  const stored = useStoredWeights();
  const cards = weightsFor(model, scale, isVideo)
    .map(({ card }) => card)
    .filter(({ url }) => url !== null);
  if (cards.length === 0) return 0;
  if (stored === undefined) return undefined;
  const missing = cards.filter((card) => !isComplete(card, stored?.get(weightFileName(card)) ?? 0));
  return missing.reduce((sum, card) => sum + (card.bytes ?? 0), 0);
}

/** Opens an image for its regions while it is wanted; null until then. */
function useRegions(image: Blob | undefined): RegionSession | null {
  const [session, setSession] = useState<RegionSession | null>(null);
  useEffect(() => {
    if (!image) return;
    const opened = openRegions(image);
    setSession(opened);
    return () => {
      opened.end();
      setSession(null);
    };
  }, [image]);
  return session;
}
