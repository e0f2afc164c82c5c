'use client';

import { formatSeconds } from '../../ui/quantities.ts';
import { typicalSeconds } from '../run-times/run-times.ts';
import { useRunTimes } from '../run-times/stored-run-times.ts';
import type { Tool } from '../tools/tool.ts';

/** Shows the typical run time of one file on this device, once there are enough runs. */
export function TypicalTime({ operationId }: Pick<Tool, 'operationId'>) {
  const pace = useRunTimes(operationId);
  const usual = pace && typicalSeconds(pace);
  return usual === undefined ? null : `, about ${formatSeconds(usual)}`;
}
