'use client';

import type { BatchItem, DoneState } from '../runs/batch.ts';
import { nameResults } from '../runs/result-names.ts';
import { saveResults } from '../runs/results.ts';
import { useRunActions, useRunSettings } from '../runs/runs-context.ts';
import { pinBlob } from '../runs/stored-results.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { dropResult, type HeldResults, holdResult, swapResult } from './held-results.ts';

export interface HeldResultActions {
  heldOf(item: BatchItem): DoneState | undefined;
  hold(item: BatchItem, result: DoneState): void;
  /** Exchanges the result and the held one, with their settings. */
  swap(item: BatchItem, result: DoneState): void;
  drop(item: BatchItem): void;
  download(item: BatchItem): void;
}

const NONE: HeldResults = new Map();

/** Results held for a comparison, one for each file. They outlive the page. */
export function useHeldResults(): HeldResultActions {
  const { live, batch, applyValues } = useRunActions();
  const { values } = useRunSettings();
  const [held, setHeld] = useSessionState<HeldResults>('media-convert-image/held', NONE);
  const keep = ({ file }: BatchItem, { result }: DoneState) => {
    // A browser without storage has nothing to keep.
    for (const named of nameResults(file, result)) void pinBlob(named.name, named.file.blob).catch(() => {});
  };
  return {
    heldOf: ({ id }) => held.get(id),
    hold(item, result) {
      keep(item, result);
      const ids = batch.view().items.map(({ id }) => id);
      setHeld(holdResult(held, item.id, { resultParams: values, ...result }, ids));
    },
    swap(item, result) {
      const swapped = swapResult(held, item.id, { resultParams: values, ...result });
      if (!swapped) return;
      keep(item, result);
      keep(item, swapped.state);
      live.cancel();
      setHeld(swapped.held);
      batch.replace(item.id, swapped.state);
      if (swapped.state.resultParams) applyValues(swapped.state.resultParams);
    },
    drop: ({ id }) => setHeld(dropResult(held, id)),
    download({ id, file }) {
      const state = held.get(id);
      if (state) void saveResults(nameResults(file, state.result), 'darkroom-convert.zip');
    },
  };
}
