'use client';

import { useEffect } from 'react';
import type { BatchItem } from '../../batch/batch.ts';
import { isMetered } from '../../device/connection.ts';
import { mediaKind } from '../../files/media-kind.ts';
import type { FileRuns } from '../../runs/use-file-runs.ts';
import { useSessionState } from '../../session/use-session-state.ts';
import { planSharper } from './plan-sharper.ts';
import { useConsent } from './sharper-consent.ts';

const NONE: readonly number[] = [];
const NAME = 'remove-bg/sharpened';

/**
 * Returns the function that reruns an image with a sharper model on a click. Like any image that was sharpened, it does
 * not begin again by itself.
 */
export function useSharpen(): (runs: FileRuns, id: number, engine: string) => void {
  const [, setTried] = useSessionState(NAME, NONE);
  return (runs, id, engine) => {
    setTried((before) => [...before, id]);
    runs.rerun(id, { engine });
  };
}

/**
 * Runs hard images again with a sharper model, once each, as soon as the visitor allows it: a run that was stopped
 * does not begin again by itself. Renders nothing.
 */
export function SharpenHardImages({ runs }: { readonly runs: FileRuns }) {
  const consent = useConsent();
  const [tried, setTried] = useSessionState(NAME, NONE);
  const isWanted = consent === 'yes' && runs.values.engine === 'auto';
  const next = isWanted ? runs.items.flatMap((item) => engineFor(item, tried, runs)) : [];
  const key = next.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the files; the rest is new at each rendering
  useEffect(() => {
    if (next.length === 0) return;
    setTried((before) => [...before, ...next.map(({ id }) => id)]);
    for (const { id, engine } of next) runs.rerun(id, { engine });
  }, [key]);
  return null;
}

function engineFor(
  { id, file, state }: BatchItem,
  tried: readonly number[],
  { fits }: FileRuns,
): { id: number; engine: string }[] {
  if (tried.includes(id) || mediaKind(file) === 'video' || state.phase !== 'done') return [];
  const plan = planSharper({ state, fit: fits.get(id), consent: 'yes', isMetered: isMetered() });
  return plan?.step === 'fetch' ? [{ id, engine: plan.engine.id }] : [];
}
