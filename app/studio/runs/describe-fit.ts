import type { Fit, RunFit } from '../../../models/core/device/fit.ts';
import { formatBytes } from '../../text/quantities.ts';

/** Says where a file can run, in one or two sentences. It most likely runs here as long as that is unknown. */
export function describeRunFit(fit: RunFit | undefined): string {
  if (!fit) return 'Free. Nothing leaves this device.';
  const { run } = fit;
  if (run.verdict === 'here') return 'Fits here. Free, and nothing leaves this device.';
  if ('reason' in run) return run.verdict === 'server' ? `Needs our server. ${run.reason}` : run.reason;
  return `${describeDownload(run)}. Then free, and nothing leaves this device.`;
}

/** Says what must be downloaded first: `Needs 115 MB once`. */
export function describeDownload(fit: Extract<Fit, { verdict: 'download' }>): string {
  const size = fit.bytes === null ? 'a download' : formatBytes(fit.bytes);
  return `Needs ${size} ${fit.isKept ? 'once' : 'each time'}`;
}

/** Why something does not fit this device. */
export type Unfit = Extract<Fit, { reason: string }>;

/** Returns why something does not fit this device; undefined where it does, or that is unknown. */
export function unfitReason(fit: Fit | undefined): Unfit | undefined {
  return fit && 'reason' in fit ? fit : undefined;
}
