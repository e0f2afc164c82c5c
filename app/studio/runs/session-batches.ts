import type { OperationId } from '../../../models/registry.ts';
import { RUNS_MAX } from '../../../workers/bridge/run-slots.ts';
import { Cell } from '../../state/cell.ts';
import { sessionCell } from '../session/session.ts';
import { guardTab } from '../session/tab-guard.ts';
import type { ItemRecord } from './item-record.ts';
import { LiveRun } from './live-run.ts';
import { ALL_SAVED, persistItems, type Unsaved } from './persist-items.ts';
import { Batch } from './run-batch.ts';
import { createRunFile } from './run-file.ts';
import { deleteReplaced } from './stored-results.ts';

/** Batch of a tool, which outlives its page: its runs continue while another page of the studio is shown. */
export interface SessionBatch {
  readonly batch: Batch;
  readonly live: LiveRun;
  readonly unsaved: Cell<Unsaved>;
}

const batches = new Map<OperationId, SessionBatch>();

/** Returns the batch of a tool in this tab. */
export function sessionBatch(operationId: OperationId): SessionBatch {
  // While the server renders there is no tab, only many visitors.
  if (typeof window === 'undefined') return create(operationId);
  const known = batches.get(operationId) ?? create(operationId);
  if (!batches.has(operationId)) {
    batches.set(operationId, known);
    void persistItems(
      known.batch,
      sessionCell<readonly ItemRecord[]>(`${operationId}/items`, []),
      known.unsaved,
    );
    known.batch.subscribe(() => guardTab(known.batch, known.batch.view().isRunning));
  }
  return known;
}

/** Removes the files of all tools in this tab, unless they are running. */
export function clearBatches(): void {
  for (const { batch } of batches.values()) batch.removeAll();
}

function create(operationId: OperationId): SessionBatch {
  const runFile = createRunFile(operationId);
  // Ids of an earlier page are smaller: it was opened earlier.
  const batch = new Batch(runFile, RUNS_MAX, Date.now());
  const live = new LiveRun(batch, runFile, {
    onReplaced({ result }) {
      // The browser may have lost its storage meanwhile.
      for (const { blob } of result.files) void deleteReplaced(blob).catch(() => {});
    },
  });
  return { batch, live, unsaved: new Cell(ALL_SAVED) };
}
