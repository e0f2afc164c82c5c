import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isTested } from '../../../models/acceptance/find-acceptance-status.ts';
import { readEnv } from '../../../server/base/env.ts';
import { listAllEngines } from '../../../server/runtime/acceptance/list-all-engines.ts';
import { findEngineAvailability } from '../../../server/runtime/inference/engine-availability.ts';
import { hasStandIn } from './weights.ts';

const RUNS = fileURLToPath(new URL('./runs.ts', import.meta.url));
const MODES = ['kept', 'returned'] as const;

/**
 * Prints time and memory of three jobs in a row for each engine that is here, in its own process: once with the
 * memory of a run kept for the next one, once returned. Jobs are the acceptance samples.
 * @param ids engines; all that are here when empty. Spleeter without its files runs with random weights, U-2-Net-p with
 *   converted ones of the test data
 */
export async function benchEngines(ids: readonly string[]): Promise<void> {
  const env = { ...readEnv(), MODELS_OFFLINE: true };
  console.log(
    '| engine | memory of a run | first s | peak MB | second s | peak MB | third s | peak MB | left MB |',
  );
  console.log(`|${' --- |'.repeat(9)}`);
  for (const { operation, engine } of listAllEngines()) {
    if (ids.length > 0 ? !ids.includes(engine.id) : !isTested(operation, engine)) continue;
    const { isAvailable } = await findEngineAvailability({ env }, engine);
    if (!isAvailable && !hasStandIn(engine.id)) continue;
    for (const mode of MODES) {
      const child = spawn(process.execPath, [...process.execArgv, RUNS, operation.id, engine.id, mode], {
        stdio: 'inherit',
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`${engine.id} ended with ${code}.`);
    }
  }
}
