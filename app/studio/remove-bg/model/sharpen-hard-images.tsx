'use client';

import { useEffect } from 'react';
import { mediaKind } from '../../files/media-kind.ts';
import type { BatchItem } from '../../runs/batch.ts';
import { isMetered } from '../../runs/connection.ts';
import { useRunActions, useRunFiles, useRunPlaces, useRunSettings } from '../../runs/runs-context.ts';
import type { Fits } from '../../runs/use-fits.ts';
import { useSessionState } from '../../session/use-session-state.ts';
import { type Consent, planSharper } from './plan-sharper.ts';
import { useConsent } from './sharper-consent.ts';

const NONE: readonly number[] = [];
const NAME = 'remove-bg/sharpened';

/**
 * Returns the function that reruns an image with a sharper model on a click. Like any image that was sharpened, it does
 * not begin again by itself.
 */
export function useSharpen(): (id: number, engine: string) => void {
  const { rerun } = useRunActions();
  const [, setTried] = useSessionState(NAME, NONE);
  return (id, engine) => {
    setTried((before) => [...before, id]);
    rerun(id, { engine });
  };
}

/**
 * Runs hard images again with a sharper model, once each: at once where it is small, else as soon as the visitor allows
 * it. A run that was stopped does not begin again by itself, and one that fails leaves the draft and the offer. Renders
 * nothing.
 */
export function SharpenHardImages() {
  const { rerunAutomatically } = useRunActions();
  const { items } = useRunFiles();
  const { values } = useRunSettings();
  const { fits } = useRunPlaces();
  const consent = useConsent();
  const [tried, setTried] = useSessionState(NAME, NONE);
  const options = { tried, fits, consent };
  const next = values.engine === 'auto' ? items.flatMap((item) => engineFor(item, options)) : [];
  const key = next.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the files; the rest is new at each rendering
  useEffect(() => {
    if (next.length === 0) return;
    setTried((before) => [...before, ...next.map(({ id }) => id)]);
    for (const { id, engine } of next) rerunAutomatically(id, { engine });
  }, [key]);
  return null;
}

interface SharpenOptions {
  /** Files that were sharpened already. */
  readonly tried: readonly number[];
  readonly fits: Fits;
  readonly consent: Consent;
}

function engineFor(
  { id, file, state }: BatchItem,
  { tried, fits, consent }: SharpenOptions,
): { id: number; engine: string }[] {
  if (tried.includes(id) || mediaKind(file) === 'video' || state.phase !== 'done') return [];
  const plan = planSharper({ state, fit: fits.get(id), consent, isMetered: isMetered() });
  return plan?.step === 'fetch' ? [{ id, engine: plan.engine.id }] : [];
}
