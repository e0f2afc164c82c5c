'use client';

import { formatSeconds } from '../../ui/quantities.ts';
import { typicalSeconds } from '../run-times/run-times.ts';
import { useRunTimes } from '../run-times/stored-run-times.ts';
import { MEASURED_ON, type Tool } from '../tools/tool.ts';

type TypicalTimeProps = Pick<Tool, 'operationId'> & { readonly measured: Tool['measured'] };

/** Shows the typical run time of one file on this device, or before there are enough runs what a named machine took. */
export function TypicalTime({ operationId, measured }: TypicalTimeProps) {
  const pace = useRunTimes(operationId);
  const usual = pace && typicalSeconds(pace);
  return (
    <p className="facts">
      {usual === undefined
        ? `On this device: free.${measured ? ` ${measured.file}: ${formatSeconds(measured.seconds)} on ${MEASURED_ON}.` : ''}`
        : `On this device: free, about ${formatSeconds(usual)} each, based on your last ${pace?.runs} runs.`}
    </p>
  );
}
