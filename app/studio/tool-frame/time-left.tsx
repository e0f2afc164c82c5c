'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { formatSeconds } from '../../text/quantities.ts';
import { useSecondsSpent } from '../../ui/use-seconds-spent.ts';
import type { BatchItem } from '../runs/batch.ts';
import { totalProgress } from '../runs/totals.ts';
import { ProgressRate } from './progress-rate.ts';

const TICK_MS = 1000;

/** Shows the time that a run has taken, and the estimate of what is left, once there is a rate. */
export function TimeLeft({ items }: { readonly items: readonly BatchItem[] }) {
  const isLoading = items.some(({ state }) => state.phase === 'running' && state.loading !== undefined);
  const fraction = totalProgress(items);
  const spent = useSecondsSpent();
  const [rate] = useState(() => new ProgressRate());
  const [left, setLeft] = useState<number>();
  const measure = useEffectEvent(() => setLeft(rate.secondsLeft(fraction, performance.now())));
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured at each step, and each second between steps
  useEffect(() => {
    measure();
    const ticking = setInterval(measure, TICK_MS);
    return () => clearInterval(ticking);
  }, [fraction]);
  const facts = [
    ...(spent > 0 ? [formatSeconds(spent)] : []),
    ...(left === undefined || isLoading ? [] : [`${formatSeconds(Math.max(1, Math.ceil(left)))} left`]),
  ];
  if (facts.length === 0) return null;
  return <span className="facts">{facts.join(' · ')}</span>;
}
