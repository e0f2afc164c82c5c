import { OperationError } from '../../../models/core/operation/errors.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { weightsUnavailable } from '../../../models/core/weights/download.ts';
import { type OpenedSource, SourceFault } from '../../../models/core/weights/source.ts';
import { listSources, type SourceOptions } from './sources.ts';

export const NO_SOURCE = 'no source is allowed (MODELS_OFFLINE is set and MODEL_MIRROR has none)';

/**
 * Opens the bytes at the first source that has a file of the right size. They are not verified.
 * @throws OperationError `unavailable` naming each source and its fault; the signal's reason once aborted
 */
export async function openAnySource(
  card: WeightCard,
  options: SourceOptions,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal },
): Promise<OpenedSource> {
  const faults: string[] = [];
  for (const source of listSources(card, options)) {
    try {
      const opened = await source.open(offset, signal);
      if (card.bytes === null || opened.bytesTotal === card.bytes) return opened;
      opened.cancel();
      faults.push(`${source.name} has a file of another size`);
    } catch (fault) {
      if (!(fault instanceof SourceFault)) throw fault;
      faults.push(`${source.name} ${fault.message}`);
    }
  }
  throw weightsUnavailable(card, faults, NO_SOURCE);
}

/** Reports whether a source confirms now that it has the file. @throws the signal's reason once aborted */
export async function isReached(
  card: WeightCard,
  options: SourceOptions,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    (await openAnySource(card, options, { offset: 0, signal })).cancel();
    return true;
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    return false;
  }
}
