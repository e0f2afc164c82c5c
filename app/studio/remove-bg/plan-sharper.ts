import { readEngineNames } from '../../../models/core/runtime/engine-name.ts';
import type { RunFit } from '../../../models/core/runtime/fit.ts';
import { needsConsent } from '../../../models/core/runtime/weight-card.ts';
import type { MatteDoubt } from '../../../models/matting/matte-quality.ts';
import { mediaKind } from '../files/media-kind.ts';
import type { BatchItem, ItemState } from '../runs/batch.ts';
import { betterEngine, type Engine } from './engines.ts';

/**
 * Whether Darkroom may download a sharper model of any size by itself and keep it here; undefined until the visitor
 * said so: then only a small one.
 */
export type Consent = 'yes' | 'no' | undefined;

/** Degree to which the model's own matte cannot be trusted. */
export type LowConfidence = 'no subject' | 'hard' | 'uneven';

/**
 * Returns the part of a result that is most likely wrong; null where that is not known, as after a run on the server.
 */
export function getDoubt(state: ItemState): MatteDoubt | null {
  const doubt = state.phase === 'done' ? state.result.details?.matte_doubt : undefined;
  return doubt === 'inside' || doubt === 'outline' || doubt === 'subject' ? doubt : null;
}

/** Returns the doubt about a result; null where there is none. Hard: painting it by hand takes long. */
export function getLowConfidence(state: ItemState): LowConfidence | null {
  if (state.phase !== 'done') return null;
  const { details } = state.result;
  if (details?.subjects_detected === 0) return 'no subject';
  if (details?.matte_quality === 'low') return 'hard';
  return details?.matte_quality === 'medium' ? 'uneven' : null;
}

export interface SharperOptions {
  readonly state: ItemState;
  /** Places where the file can run, with each model; undefined until they are known. */
  readonly fit: RunFit | undefined;
  readonly consent: Consent;
  readonly isMetered: boolean;
}

/** Way to improve a result of the device by a sharper model. */
export interface SharperPlan {
  readonly engine: Engine;
  /**
   * `ask`: once, whether it may be kept; `fetch`: the visitor said yes, or it is small; `offer`: a button, since the
   * visitor said no or the doubt is small; `metered`: not on this connection.
   */
  readonly step: 'ask' | 'fetch' | 'offer' | 'metered';
}

/** Plans the way to a better result; undefined where no model that fits here is better than the one that ran. */
export function planSharper({ state, fit, consent, isMetered }: SharperOptions): SharperPlan | undefined {
  const doubt = getLowConfidence(state);
  if (state.phase !== 'done' || state.result.server || doubt === null) return undefined;
  const engine = betterEngine(state.result.engine, fit);
  if (!engine) return undefined;
  const isStored = fit?.engines.get(engine.id)?.verdict === 'here';
  if (isMetered && !isStored) return { engine, step: 'metered' };
  if (doubt === 'uneven' || consent === 'no') return { engine, step: 'offer' };
  if (consent === 'yes' || !needsConsent(engine.card)) return { engine, step: 'fetch' };
  return { engine, step: isStored ? 'offer' : 'ask' };
}

/** Runs with a sharper model that no visitor asked for, in this tab's session. */
export interface SharperHistory {
  /** Ids of the files that ran again, or that the visitor stopped. */
  readonly tried: readonly number[];
  /** Ids of the models that failed. */
  readonly failed: readonly string[];
}

export const NOTHING_TRIED: SharperHistory = { tried: [], failed: [] };

interface SharperRun {
  readonly id: number;
  readonly engine: string;
}

interface NextOptions extends Pick<SharperOptions, 'consent' | 'isMetered'> {
  readonly history: SharperHistory;
  /** Ids of the files whose results were downloaded. */
  readonly saved: readonly number[];
  readonly fits: ReadonlyMap<number, RunFit>;
}

/** Returns the next image that runs again with a sharper model by itself; undefined without any. */
export function nextToSharpen(
  items: readonly BatchItem[],
  { history, saved, fits, consent, isMetered }: NextOptions,
): SharperRun | undefined {
  for (const { id, file, state } of items) {
    if (history.tried.includes(id) || saved.includes(id) || mediaKind(file) === 'video') continue;
    const plan = planSharper({ state, fit: fits.get(id), consent, isMetered });
    if (plan?.step === 'fetch' && !history.failed.includes(plan.engine.id)) {
      return { id, engine: plan.engine.id };
    }
  }
  return undefined;
}

/** Adds a run, and the failure of its model if it left another one's result. */
export function addTrial(
  { tried, failed }: SharperHistory,
  { id, engine }: SharperRun,
  state: ItemState,
): SharperHistory {
  const ran = state.phase === 'done' && state.result.engine;
  const isOwn = ran && readEngineNames(ran)[0].id === engine;
  return { tried: [...tried, id], failed: isOwn ? failed : [...failed, engine] };
}
