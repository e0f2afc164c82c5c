import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { Scale } from '../../../models/operations/upscale/plan-passes.ts';
import type { BatchItem } from '../runs/batch.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { describeEngine, describeSize } from './settings/engines.ts';

/** Returns the factor of a result; undefined without one. */
export function resultScale({ state }: BatchItem): Scale | undefined {
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
  const scale = resultScale(item) ?? chosen;
  const engine = item.state.phase === 'done' ? item.state.result.engine : undefined;
  const facts = [
    size && describeSize(size, scale),
    engine && describeEngine(engine, scale),
    isOutdated && !renewal && 'made with earlier settings',
  ];
  return facts.filter((fact) => typeof fact === 'string');
}
