import type { Operation } from '../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../models/core/operation/money.ts';
import { getBytesMax } from '../../models/core/operation/request.ts';
import { formatBytes } from '../text/quantities.ts';

/** Returns the prices of an operation: `$0.01 per image, $0.05 per started second of video`. */
export function getPrice({ rates }: Operation): string {
  return Object.values(rates)
    .map(({ amount, per }) => `$${formatUsd(amount)} per ${per}`)
    .join(', ');
}

/** Returns the largest file and the longest run of an operation. */
export function getLimit(operation: Operation): string {
  const largest = Math.max(...Object.values(operation.inputs).map((input) => getBytesMax(operation, input)));
  return `${formatBytes(largest)} per file, ${duration(operation.limits.runSecondsMax)} per run`;
}

/** Formats a long time: `4 min`, `16 h`. */
function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
