'use client';

import { useEffect } from 'react';
import { inWorker } from '../../../workers/one-shot/one-shot.ts';
import type { BatchItem, DoneState } from '../runs/batch.ts';
import { nameResults } from '../runs/result-names.ts';
import { useRunActions, useRunFiles, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { createJob, getOrigin, type ResultOrigin, storeResult } from '../runs/stored-results.ts';
import { useSessionState } from '../session/use-session-state.ts';
import type { ParamValues } from '../tools/fields.ts';
import { type FourStems, needsFour, needsSum, planSum, withStems } from './sum-stems.ts';

/** Pause in which a visitor who goes through the choices by keys moves on. */
const PAUSE_MS = 300;

/** Sums that this page has made, by the vocals of their song. */
const sums = new WeakMap<Blob, DoneState>();

/**
 * Makes two stems of four that are there already, and brings the four back: neither needs a run. Renders nothing.
 */
export function TwoFromFour() {
  const { items } = useRunFiles();
  const { values } = useRunSettings();
  const { isRunning } = useRunOutline();
  const { batch } = useRunActions();
  const [fours, setFours] = useSessionState<FourStems>('audio-separate-stems/four', new Map());
  const replace = (id: number, before: DoneState, after: DoneState) => {
    const now = batch.view().items.find((item) => item.id === id);
    // The visitor has started a run, or has chosen something else.
    if (now?.state === before) batch.replace(id, after);
  };
  const due = isRunning ? [] : items.filter(({ state }) => needsSum(state, values));
  const back = isRunning ? [] : items.filter(({ id, state }) => needsFour(state, values, fours.get(id)));
  const key = [...due, ...back].map(({ id }) => `${id} ${values.stems}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the files and the choice
  useEffect(() => {
    if (key === '') return;
    const ending = new AbortController();
    const work = async () => {
      for (const { id, state } of back) {
        const four = fours.get(id);
        if (four && state.phase === 'done') replace(id, state, { ...four, resultParams: values });
      }
      for (const item of due) {
        const { id, state } = item;
        if (state.phase !== 'done') continue;
        // A sum that fails leaves the four stems, and the button that runs.
        const two = await sumStems(item, state, values, ending.signal).catch(() => undefined);
        if (!two || ending.signal.aborted) return;
        setFours((before) => new Map(before).set(id, state));
        replace(id, state, two);
      }
    };
    const pause = setTimeout(() => void work(), PAUSE_MS);
    return () => {
      clearTimeout(pause);
      ending.abort();
    };
  }, [key]);
  return null;
}

async function sumStems(
  { file: source }: BatchItem,
  state: DoneState,
  values: ParamValues,
  signal: AbortSignal,
): Promise<DoneState> {
  const { vocals, others } = planSum(state);
  const known = sums.get(vocals.blob);
  if (known) return { ...known, resultParams: values };
  const request = {
    files: others.map(({ blob }) => blob),
    gains: others.map(() => 1),
    format: 'wav' as const,
  };
  const { file } = await inWorker('mixStems', [request], { signal });
  const two = withStems(state, [vocals, { ...file, name: 'no_vocals.wav' }], values);
  const named = nameResults(source, two.result)[1];
  if (named) storeResult(named.name, named.file.blob, await findOrigin(source, vocals.blob));
  sums.set(vocals.blob, two);
  return two;
}

/** Returns the run that made the stems of a sum, so that all of a song stays together among the recent results. */
async function findOrigin(source: File, stem: Blob): Promise<ResultOrigin> {
  // A browser without storage has none.
  const known = await getOrigin(stem).catch(() => undefined);
  return known ?? { job: createJob(), operationId: 'audio-separate-stems', source: source.name };
}
