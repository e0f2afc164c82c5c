import type { Progress } from '../../../models/core/runtime/progress.ts';
import { areSameValues, type ParamValues } from '../tools/fields.ts';
import type { BatchItem, ItemState } from './batch.ts';
import type { FileHandling } from './file-handling.ts';
import type { LiveView } from './live-run.ts';
import type { Batch } from './run-batch.ts';

/** State of a file as the stage shows it: a file that is being renewed keeps its result. */
export interface ShownFile {
  readonly item: BatchItem;
  /** Progress of the run that makes a new result; undefined when there is none. */
  readonly renewal: Progress | undefined;
  /** Whether that run is a live one, which ends alone: others end with all files. */
  readonly isLiveRun: boolean;
  /** Whether the result comes from other settings than the chosen ones. */
  readonly isOutdated: boolean;
}

interface ShownFiles {
  /** Files whose result or failure comes from other settings, but for the one whose result is being renewed. */
  readonly outdated: readonly BatchItem[];
  /** Returns what the stage shows of a file. */
  readonly getShown: (item: BatchItem) => ShownFile;
}

const BEGUN: Progress = { fraction: 0, step: 'starting' };

/** Reports whether a result, or a failure, comes from other settings than the chosen ones. */
export function isOfOtherSettings(
  state: ItemState,
  values: ParamValues,
  { improvesOnServer }: FileHandling,
): boolean {
  const isFromServer = state.phase === 'done' && state.result.server !== undefined;
  return !(improvesOnServer && isFromServer) && isOutdated(state, values);
}

/**
 * Sorts the files of a tool. A change of settings keeps all results, until their files run again.
 * @param values chosen ones
 * @param renewal the live run, or null
 */
export function showFiles(
  batch: Batch,
  handling: FileHandling,
  values: ParamValues,
  renewal: LiveView | null,
): ShownFiles {
  const isOfOthers = (state: ItemState) => isOfOtherSettings(state, values, handling);
  const isRenewed = ({ id }: BatchItem) => id === renewal?.id;
  return {
    outdated: batch
      .view()
      .items.filter((item) => isOfOthers(item.state) && !(item.state.phase === 'done' && isRenewed(item))),
    getShown(item) {
      const renewed = renewedFile(batch, item);
      if (renewed) return renewed;
      const progress = isRenewed(item) ? (renewal?.progress ?? BEGUN) : undefined;
      return {
        item,
        renewal: progress,
        isLiveRun: isRenewed(item),
        isOutdated: isOfOthers(item.state),
      };
    },
  };
}

/** Returns a file that runs again with its earlier result; undefined for any other file. */
function renewedFile(batch: Batch, item: BatchItem): ShownFile | undefined {
  const { state } = item;
  const earlier = batch.earlierState(item.id);
  if (!earlier) return undefined;
  const renewal = state.phase === 'running' ? state : BEGUN;
  return { item: { ...item, state: earlier }, renewal, isLiveRun: false, isOutdated: true };
}

/** Reports whether a result, or a failure, comes from other settings than the chosen ones. */
export function isOutdated(state: ItemState, values: ParamValues): boolean {
  if (state.phase !== 'done' && state.phase !== 'failed') return false;
  return state.resultParams !== undefined && !areSameValues(state.resultParams, values);
}
