import { readEngineNames } from '../../../models/core/runtime/engine-name.ts';
import type { RunFit } from '../../../models/core/runtime/fit.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { MATTE_MODELS } from '../../../models/matting/matte-models.ts';
import { formatBytes } from '../../ui/quantities.ts';
import { describeLicence, type Model } from '../form/model.ts';
import type { BatchItem } from '../runs/batch.ts';

/** Bundled model: no download needed. */
export const BUNDLED_ENGINE = MATTE_MODELS.find(({ card }) => card.url === null)?.card.id;

export interface Engine {
  readonly id: string;
  readonly name: string;
  readonly finds: string;
  readonly card: WeightCard;
}

/** All models: the bundled one first, then the best first. */
export const ENGINES: readonly Engine[] = MATTE_MODELS.map(
  ({ card, name, finds }): Engine => ({
    id: card.id,
    name,
    finds,
    card,
  }),
).toSorted((a, b) => Number(b.id === BUNDLED_ENGINE) - Number(a.id === BUNDLED_ENGINE));

/** Describes a model for the picker. @param fit of the selected file; undefined without one, or until it is known */
export function getModel({ id, name, finds, card }: Engine, fit: RunFit | undefined): Model {
  const people = finds === 'people' ? 'People only. ' : '';
  const note = `${people}${describeLicence(card)}`;
  return { id, name, notes: [note], weights: [[card]], fit: fit?.engines.get(id) };
}

/**
 * Returns the best model for any subject that can run here and is better than the one that ran.
 * @param ran engine of the result: `matte on wasm`
 * @param fit of the file; undefined while it is unknown: then there is none to offer
 */
export function betterEngine(ran: string | undefined, fit: RunFit | undefined): Engine | undefined {
  const ranId = ran === undefined ? '' : readEngineNames(ran)[0].id;
  // One whose licence is in doubt is offered in the list of models only, next to its terms.
  const best = MATTE_MODELS.filter(
    ({ card, finds }) => finds === 'any subject' && card.licence.commercial === undefined,
  ).map(({ card }) => card.id);
  const better = best.slice(0, Math.max(0, best.indexOf(ranId)));
  const id = better.find((each) => ['here', 'download'].includes(fit?.engines.get(each)?.verdict ?? ''));
  return ENGINES.find((engine) => engine.id === id);
}

/** Describes a run's engine in words. */
export function describeRun({ state }: BatchItem): readonly string[] {
  if (state.phase !== 'done') return [];
  const { engine, details } = state.result;
  const facts = [engine && engineFact(engine), details && `certainty ${details.matte_quality}`];
  return facts.filter((fact) => typeof fact === 'string');
}

/** Describes `matte on wasm` in words: the model, its size and its execution provider. */
function engineFact(engine: string): string {
  const [{ id, provider }] = readEngineNames(engine);
  const known = ENGINES.find((each) => each.id === id);
  return [provider, known ? `${known.name} ${formatBytes(known.card.bytes ?? 0)}` : id]
    .filter(Boolean)
    .join(' · ');
}
