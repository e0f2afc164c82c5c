'use client';

import type { OperationId } from '../../../models/registry.ts';
import { usePace } from '../kept-pace.ts';
import { likelySeconds } from '../pace.ts';
import { seconds } from '../quantities.ts';

/** What one file of the usual size has taken here. */
export function UsualTime({ operationId }: { readonly operationId: OperationId }) {
  const pace = usePace(operationId);
  const usual = pace && likelySeconds(pace, (1e6 * pace.megabytes) / Math.max(1, pace.runs));
  return (
    <p className="facts">
      {usual === undefined
        ? 'On this device: free. Its time shows here after a few runs.'
        : `On this device: free, about ${seconds(usual)} each, by your last ${pace?.runs} runs.`}
    </p>
  );
}
