import type { OperationId } from '../../../models/registry.ts';
import { RUNS_MAX } from '../../../workers/bridge.ts';
import { LiveRun } from '../batch/live-run.ts';
import { Batch } from '../batch/run-batch.ts';
import { runFileOf } from '../batch/run-file.ts';
import { dropReplaced } from '../batch/stored-results.ts';
import { Cell } from './cell.ts';
import type { ItemRecord } from './item-record.ts';
import { ALL_KEPT, keepItems, type Unkept } from './keep-items.ts';
import { sessionCell } from './session.ts';
import { guardTab } from './tab-guard.ts';

/** Batch of a tool, which outlives its page: its runs continue while another page of the studio is shown. */
export interface SessionBatch {
  readonly batch: Batch;
  readonly live: LiveRun;
  readonly unkept: Cell<Unkept>;
}

const batches = new Map<OperationId, SessionBatch>();

/** Returns the batch of a tool in this tab. */
export function sessionBatch(operationId: OperationId): SessionBatch {
  // While the server renders there is no tab, only many visitors.
  if (typeof window === 'undefined') return create(operationId);
  const known = batches.get(operationId) ?? create(operationId);
  if (!batches.has(operationId)) {
    batches.set(operationId, known);
    void keepItems(known.batch, sessionCell<readonly ItemRecord[]>(`${operationId}/items`, []), known.unkept);
    known.batch.subscribe(() => guardTab(known.batch, known.batch.view().isRunning));
  }
  return known;
}

/** Removes the files of all tools in this tab, unless they are running. */
export function emptyBatches(): void {
  for (const { batch } of batches.values()) batch.removeAll();
}

function create(operationId: OperationId): SessionBatch {
  const runFile = runFileOf(operationId);
  // Ids of an earlier page are smaller: it was opened earlier.
  const batch = new Batch(runFile, RUNS_MAX, Date.now());
  const live = new LiveRun(batch, runFile, {
    onReplaced({ result }) {
      // The browser may have lost its storage meanwhile.
      for (const { blob } of result.files) void dropReplaced(blob).catch(() => {});
    },
  });
  return { batch, live, unkept: new Cell(ALL_KEPT) };
}
