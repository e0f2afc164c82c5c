import type { RunFit } from '../../../models/core/runtime/fit.ts';
import { GUIDE_ENGINES, PATCHES_ENGINE } from '../../../models/operations/extend/engines.ts';
import {
  FILL_QUALITY_LOW,
  type FillEstimate,
  type FillWeakness,
} from '../../../models/operations/extend/fill/estimate-fill.ts';

import type { Side } from './margins.ts';

/** Quality from which the simple fill is likely to convince. */
const GOOD_FROM = 0.7;

const CAUSES: Readonly<Record<FillWeakness, string>> = {
  subject: 'The edge cuts the subject, which it can’t continue.',
  structure: 'The edge cuts lines and shapes, which it can’t continue.',
  margin: 'The added area is large compared with the image.',
};

/** Says what to expect of the simple fill. */
export function describeEstimate({ quality, weakness }: FillEstimate): string {
  const percent = `${Math.round(quality * 100)} %`;
  if (quality >= GOOD_FROM) return `Simple fill, expected quality ${percent}: this should look right.`;
  const cause = weakness ? ` ${CAUSES[weakness]}` : '';
  if (quality >= FILL_QUALITY_LOW) return `Simple fill, expected quality ${percent}: look closely.${cause}`;
  return `Simple fill, expected quality ${percent}: this will likely disappoint.${cause}`;
}

/** Says which edges cut the subject, so that no simple fill can continue it; undefined where none does. */
export function describeCut(sides: readonly Side[]): string | undefined {
  if (sides.length === 0) return undefined;
  const edges = new Intl.ListFormat('en').format(sides);
  return `The ${edges} ${sides.length === 1 ? 'edge cuts' : 'edges cut'} the subject. The simple fill can’t continue it there: it repeats what lies next to it.`;
}

/**
 * Reports whether a run on this device would use the simple fill.
 * @param fit of the file; undefined while it is unknown
 */
export function usesSimpleFill(engine: string, fit: RunFit | undefined): boolean {
  if (engine !== 'auto') return engine === PATCHES_ENGINE;
  return fit !== undefined && !GUIDE_ENGINES.some(({ id }) => fit.engines.get(id)?.verdict === 'here');
}

/** Returns the best model that this device could run instead, after a download or at once; undefined without any. */
export function betterModel(fit: RunFit | undefined): (typeof GUIDE_ENGINES)[number] | undefined {
  return GUIDE_ENGINES.find(({ id }) => ['here', 'download'].includes(fit?.engines.get(id)?.verdict ?? ''));
}
