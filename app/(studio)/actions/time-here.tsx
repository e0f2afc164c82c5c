'use client';

import type { OperationId } from '../../../models/registry.ts';
import { formatSeconds } from '../../text/quantities.ts';
import type { BatchItem } from '../batch/batch.ts';
import { itemsInPhase } from '../batch/totals.ts';
import { estimateFiles } from '../run-times/estimate-files.ts';
import { useRunTimes } from '../run-times/stored-run-times.ts';

/** Operations whose own page estimates from a part of the image. */
const ESTIMATED_ELSEWHERE: readonly OperationId[] = ['upscale'];

interface TimeHereProps {
  readonly operationId: OperationId;
  readonly items: readonly BatchItem[];
}

/**
 * Shows how long the waiting files will take on this device, from its own earlier runs; nothing before there are
 * enough.
 */
export function TimeHere({ operationId, items }: TimeHereProps) {
  const times = useRunTimes(operationId);
  const waiting = itemsInPhase(items, 'waiting');
  if (!times || waiting.length === 0 || ESTIMATED_ELSEWHERE.includes(operationId)) return null;
  const files = waiting.map(({ file }) => file);
  const seconds = estimateFiles(times, files);
  if (seconds === undefined) return null;
  return <span className="facts">about {formatSeconds(Math.max(1, Math.round(seconds)))} here</span>;
}
