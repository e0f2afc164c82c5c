'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { Cell } from '../../../models/core/cell.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { RegionRequest, RegionSession, SavedRegion } from '../../../workers/edits/enlarge-regions.ts';
import { createAbortScope } from '../../ui/hooks.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { type NamedResult, nameResults } from '../runs/result-names.ts';
import type { Batch } from '../runs/run-batch.ts';
import { createJob, storeResult } from '../runs/stored-results.ts';
import { guardTab } from '../session/session.ts';

/** Finished region. */
interface RegionResult extends NamedResult {
  readonly order: RegionRequest;
  readonly saved: SavedRegion;
}

interface RegionView {
  /** Undefined unless the region is being upscaled. */
  readonly progress?: Progress | undefined;
  readonly result?: RegionResult | undefined;
  readonly failure?: string | undefined;
}

const IDLE: RegionView = {};

/** Upscales one region of an image at a time into a file, which it stores among the recent results. */
class RegionRun {
  readonly view = new Cell<RegionView>(IDLE);
  readonly #scope = createAbortScope();
  readonly #image: File;

  constructor(image: File) {
    this.#image = image;
  }

  /** @param batch that lists the image: the run ends when it no longer does */
  async start(session: RegionSession, order: RegionRequest, batch: Batch): Promise<void> {
    const signal = this.#scope.begin();
    const isListed = () => batch.view().items.some(({ file }) => file === this.#image);
    const stopWatching = batch.subscribe(() => isListed() || this.cancel());
    this.view.set({ progress: { fraction: 0, step: 'starting' } });
    guardTab(this, true);
    try {
      const saved = await session.save(order, signal, (progress) => {
        if (!signal.aborted) this.view.set({ progress });
      });
      if (!signal.aborted) this.#finish(order, saved);
    } catch (error) {
      const isCancelled = error instanceof OperationError && error.code === 'cancelled';
      if (!signal.aborted) this.view.set({ failure: isCancelled ? undefined : describeFailure(error) });
    } finally {
      stopWatching();
      if (!signal.aborted) guardTab(this, false);
    }
  }

  readonly cancel = (): void => {
    if (!this.view.get().progress) return;
    this.#scope.end();
    this.view.set(IDLE);
    guardTab(this, false);
  };

  /** Drops the result, so that another region can be chosen. */
  readonly clear = (): void => this.view.set(IDLE);

  #finish(order: RegionRequest, saved: SavedRegion): void {
    const results = nameResults(this.#image, { files: [saved.file], suffix: '-region' });
    const origin = { job: createJob(), operationId: 'upscale', source: this.#image.name } as const;
    for (const { name, file } of results) {
      storeResult(name, file.blob, origin);
      this.view.set({ result: { name, file, order, saved } });
    }
  }
}

const runs = new WeakMap<File, Map<string, RegionRun>>();

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

/** Returns the run of an image with some settings, which outlives the stage that shows it. */
function regionRun(image: File, settings: string): RegionRun {
  const known = getRuns(image);
  const run = known.get(settings) ?? new RegionRun(image);
  known.set(settings, run);
  return run;
}

/** Cancels what is being upscaled of an image with other settings. */
function cancelOthers(image: File, settings: string): void {
  for (const [key, run] of getRuns(image)) if (key !== settings) run.cancel();
}

function getRuns(image: File): Map<string, RegionRun> {
  const known = runs.get(image) ?? new Map<string, RegionRun>();
  runs.set(image, known);
  return known;
}
