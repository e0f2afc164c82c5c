'use client';

import type { OperationId } from '../../../models/registry.ts';
import { RUNS_MAX } from '../../../workers/bridge/run-slots.ts';
import { useLoaded } from '../../ui/hooks.ts';
import { formatSeconds } from '../../ui/quantities.ts';
import { estimateRun } from '../run-times/kind-times.ts';
import { readRunWork } from '../run-times/run-work.ts';
import type { RunWork } from '../run-times/work-of.ts';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunFiles, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { itemsInPhase } from '../runs/totals.ts';
import { estimateMeasured } from '../tools/measured-times.ts';
import { TOOLS } from '../tools/tools.ts';

interface DeviceTimeEstimateProps {
  readonly operationId: OperationId;
  readonly items: readonly BatchItem[];
}

/** Time of some files. */
interface Estimate {
  readonly seconds: number;
  /** Whether they take at most as long. */
  readonly isBound?: boolean;
}

/**
 * Shows how long the files to run will take on this device, from its own earlier runs; before there is one, how long
 * they would take on the machine of the measured examples.
 */
export function DeviceTimeEstimate({ operationId, items }: DeviceTimeEstimateProps) {
  const { outdated } = useRunFiles();
  const due = [...itemsInPhase(items, 'waiting'), ...outdated];
  const estimate = useEstimate(operationId, TOOLS[operationId].hasOwnEstimate ? [] : due);
  if (!estimate) return null;
  const seconds = formatSeconds(Math.max(1, Math.round(estimate.seconds)));
  const time = `${estimate.isBound ? 'at most about' : 'about'} ${seconds}`;
  return <span className="facts">{time}</span>;
}

/** Estimates the time of files; undefined until their headers are read, and where nothing is known. */
function useEstimate(operationId: OperationId, due: readonly BatchItem[]): Estimate | undefined {
  const { values } = useRunSettings();
  const { isRunning } = useRunOutline();
  const { paramsFor } = useRunActions();
  const key = JSON.stringify([operationId, values, due.map(({ id }) => id)]);
  return useLoaded(due.length > 0 && !isRunning ? key : undefined, async () => {
    const works = due.map(({ file }) => readRunWork(operationId, file, paramsFor(file)));
    return estimateAll(operationId, await Promise.all(works));
  });
}

/** Estimates the seconds of files by this device's own runs; undefined where one of them is unknown. */
export async function estimateOwnRuns(
  operationId: OperationId,
  items: readonly BatchItem[],
  paramsFor: (file: File) => object,
): Promise<number | undefined> {
  const works = await Promise.all(items.map(({ file }) => readRunWork(operationId, file, paramsFor(file))));
  return total(works.map((work) => work && estimateRun(operationId, work)));
}

function estimateAll(
  operationId: OperationId,
  works: readonly (RunWork | undefined)[],
): Estimate | undefined {
  const own = total(works.map((work) => work && estimateRun(operationId, work)));
  if (own !== undefined) return { seconds: own };
  const measured = works.map((work) => work && estimateMeasured(operationId, work));
  const seconds = total(measured.map((time) => time?.seconds));
  if (seconds === undefined) return undefined;
  return { seconds, isBound: measured.some((time) => time?.isBound) };
}

/** Adds up the times of files, of which some run at the same time; undefined where one of them is unknown. */
function total(each: readonly (number | undefined)[]): number | undefined {
  if (each.length === 0 || !each.every((seconds) => seconds !== undefined)) return undefined;
  return each.reduce((sum, seconds) => sum + seconds, 0) / Math.min(RUNS_MAX, each.length);
}
