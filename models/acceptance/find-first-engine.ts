import { listFiles, type OperationEngine } from '../core/device/fit.ts';
import { listOwnEngines } from '../core/device/own-engines.ts';
import { rankEngines } from '../core/inference/rank-engines.ts';
import type { Operation } from '../core/operation/define-operation.ts';
import type { Acceptances } from '../core/runtime/acceptances.ts';
import type { Inference } from '../core/runtime/inference.ts';

/**
 * Finds the engine that `auto` will take on this device, as far as that is known before the input: the first one by
 * rank among those whose files are all here.
 * @returns undefined where there is none
 */
export async function findFirstEngine(
  operation: Pick<Operation, 'id' | 'params' | 'engines' | 'engineList'>,
  inference: Pick<Inference, 'availability'>,
  acceptances: Pick<Acceptances, 'find'>,
): Promise<OperationEngine | undefined> {
  const known = await Promise.all(
    listOwnEngines(operation).map(async (engine) => {
      const found = await Promise.all(listFiles(engine).map((card) => inference.availability(card)));
      const mayRun = !engine.isOptIn && found.every((each) => each === 'ready');
      const standing = engine.card && mayRun ? await acceptances.find(operation.id, engine.id) : null;
      return { engine, standing, mayRun };
    }),
  );
  // Where no param names an engine, the input decides their order.
  const keepsOrder = !('engine' in operation.params.shape);
  const ready = known.filter(({ mayRun }) => mayRun);
  return rankEngines(ready, keepsOrder)[0];
}
