'use client';

import { useEffect, useSyncExternalStore } from 'react';
import type { RegionRequest, RegionSession } from '../../../../workers/regions/enlarge-regions.ts';
import type { Batch } from '../../runs/run-batch.ts';
import { cancelOthers, IDLE, type RegionView, regionRun } from './region-runs.ts';

export interface RegionRunView extends RegionView {
  start(order: RegionRequest): void;
  cancel(): void;
  clear(): void;
}

/**
 * Returns the run of an image with the chosen settings. Others that still run are cancelled; finished ones stay.
 * @param batch that lists the image
 * @param session null until there is one
 */
export function useRegionRun(
  image: File,
  batch: Batch,
  session: RegionSession | null,
  settings: string,
): RegionRunView {
  const run = regionRun(image, settings);
  const view = useSyncExternalStore(run.view.subscribe, run.view.get, () => IDLE);
  useEffect(() => cancelOthers(image, settings), [image, settings]);
  return {
    ...view,
    start: (order) => void (session && run.start(session, order, batch)),
    cancel: run.cancel,
    clear: run.clear,
  };
}
