'use client';

import type { OperationId } from '../../../models/registry.ts';
import { formatSeconds } from '../../text/quantities.ts';
import { typicalSeconds } from '../run-times/run-times.ts';
import { useRunTimes } from '../run-times/stored-run-times.ts';

/** Shows the typical run time of one file on this device. */
export function TypicalTime({ operationId }: { readonly operationId: OperationId }) {
  const pace = useRunTimes(operationId);
  const usual = pace && typicalSeconds(pace);
  return (
    <p className="facts">
      {usual === undefined
        ? 'On this device: free. The run time appears here after a few runs.'
        : `On this device: free, about ${formatSeconds(usual)} each, based on your last ${pace?.runs} runs.`}
    </p>
  );
}
