import type { ImageSize } from '../../../models/raster.ts';
import type { Scale } from '../../../models/upscale/plan-passes.ts';
import type { BatchItem } from '../batch/batch.ts';
import type { ShownFile } from '../frame/live-files.ts';
import { engineFact, sizeFact } from './engines.ts';

/** Returns the factor of a result; undefined without one. */
export function madeScale({ state }: BatchItem): Scale | undefined {
  const scale = state.phase === 'done' ? state.result.details?.scale : undefined;
  return typeof scale === 'number' ? (scale as Scale) : undefined;
}

/**
 * Returns the facts that only the upscaler knows.
 * @param size of the original
 * @param chosen factor, for a file without a result
 */
export function factsOf(
  { item, isOutdated, renewal }: ShownFile,
  size: ImageSize | undefined,
  chosen: Scale,
): readonly string[] {
  const scale = madeScale(item) ?? chosen;
  const engine = item.state.phase === 'done' ? item.state.result.engine : undefined;
  const facts = [
    size && sizeFact(size, scale),
    engine && engineFact(engine, scale),
    isOutdated && !renewal && 'made with earlier settings',
  ];
  return facts.filter((fact) => typeof fact === 'string');
}
