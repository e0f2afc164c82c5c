import { OperationError } from '../../core/operation/errors.ts';
import type { Raster } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { fitWithin, resizeColours } from '../../kernels/resize/resize.ts';
import { moderateImage } from '../../moderation/moderate-image.ts';

/** Longest side that the networks need. */
const SIDE_MAX = 2048;
const SEVERITY_MEDIUM = 4;

/**
 * Judges a result with the models of `image-moderation`.
 * @param isOwnContent whether the result only repeats what the image itself shows: then it needs no judge
 * @returns warnings
 * @throws OperationError `unprocessable` when it has sexual content of medium or high severity; `unavailable` when
 * nothing
 *   judges a result that a model painted
 */
export async function assertSafe(
  raster: Raster,
  { inference, signal }: Pick<Runtime, 'inference' | 'signal'>,
  isOwnContent: boolean,
): Promise<readonly RunWarning[]> {
  const { width, height } = fitWithin(raster, SIDE_MAX);
  const colours = resizeColours(raster, width, height);
  try {
    const { severities } = await moderateImage(inference, colours, {
      categories: ['Sexual'],
      engine: 'auto',
      signal,
    });
    if ((severities.get('Sexual') ?? 0) < SEVERITY_MEDIUM) return [];
  } catch (thrown) {
    const isMissing = thrown instanceof OperationError && thrown.code === 'unavailable';
    if (!isMissing || !isOwnContent) throw thrown;
    return [formatWarning('not_judged')];
  }
  throw new OperationError(
    'unprocessable',
    'The safety checker found sexual content in the result. Set enable_safety_checker to false if that is intended.',
    { kind: 'unsafe' },
  );
}
