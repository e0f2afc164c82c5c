import type { Page } from 'playwright';
import { addRun, NO_RUNS } from '../../../app/studio/run-times/run-times.ts';
import type { OperationId } from '../../../models/registry.ts';

/** Lets a page find four runs of an operation on files of 2 MB, of half a second each. */
export function storeRunTimes(page: Page, operationId: OperationId): Promise<unknown> {
  const times = [0.5, 0.5, 0.5, 0.5].reduce((before, seconds) => addRun(before, 2, seconds), NO_RUNS);
  return page.addInitScript(([name, stored]) => localStorage.setItem(name, stored), [
    `darkroom-run-times-${operationId}`,
    JSON.stringify(times),
  ] as const);
}
