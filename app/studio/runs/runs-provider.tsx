'use client';

import { type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { useLatest } from '../../ui/hooks.ts';
import { useImageSizes } from '../files/image-sizes.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { type Field, initialValues, validValues } from '../tools/fields.ts';
import type { BatchItem, BatchView, RunLocation } from './batch.ts';
import type { FileHandling } from './file-handling.ts';
import type { LiveRun, LiveView } from './live-run.ts';
import { ALL_SAVED, type Unsaved } from './persist-items.ts';
import { createRunRequest, RunActions } from './run-actions.ts';
import type { Batch } from './run-batch.ts';
import { RUN_CONTEXTS, type RunFiles } from './runs-context.ts';
import { sessionBatch } from './session-batches.ts';
import { showFiles } from './shown-files.ts';
import { useSendable } from './use-sendable.ts';

const NO_FILES: BatchView = { items: [], isRunning: false };

interface SessionBatchState {
  readonly batch: Batch;
  readonly view: BatchView;
  readonly live: LiveRun;
  /** The live run, which begins with its request; null while nothing is requested. */
  readonly renewal: LiveView | null;
  /** The files and results that a reload would lose. */
  readonly unsaved: Unsaved;
}

interface RunsProviderProps {
  readonly operationId: OperationId;
  /** All fields that have a value. */
  readonly fields: readonly Field[];
  readonly handling: FileHandling;
  readonly children: ReactNode;
}

/** Provides a tool's files, their params and where they run. All of it outlives the page. */
export function RunsProvider({ operationId, fields, handling, children }: RunsProviderProps) {
  const { batch, live, view, renewal, unsaved } = useSessionBatch(operationId);
  const { values, location, selectedId, ...setters } = useChoices(operationId, fields);
  useImageSizes();
  const { items, isRunning } = view;
  const selected = items.find(({ id }) => id === selectedId) ?? items[0];
  const { outdated, getShown } = showFiles(batch, handling, values, renewal);
  const { fits, serverEngine, isSoldOut, ...sorted } = useSendable(operationId, {
    items,
    isRunning,
    outdated,
    values,
    where: location,
    sellsModels: handling.sellsModels,
    improvesOnServer: handling.improvesOnServer,
    paramsFor: createRunRequest(handling, location, values).paramsFor,
  });
  const state = { handling, values, location, selected, outdated, getShown, ...sorted };
  const latest = useLatest(state);
  const [actions] = useState(() => new RunActions(operationId, { batch, live }, setters, latest));
  const settings = useMemo(() => ({ values, location }), [values, location]);
  const places = useMemo(() => ({ fits, serverEngine, isSoldOut }), [fits, serverEngine, isSoldOut]);
  return (
    <RUN_CONTEXTS.actions value={actions}>
      <RUN_CONTEXTS.settings value={settings}>
        <RUN_CONTEXTS.places value={places}>
          <FilesProvider
            isRunning={isRunning}
            selected={selected}
            files={{ items, outdated, unsaved, getShown, ...sorted }}
          >
            {children}
          </FilesProvider>
        </RUN_CONTEXTS.places>
      </RUN_CONTEXTS.settings>
    </RUN_CONTEXTS.actions>
  );
}

interface FilesProviderProps {
  readonly isRunning: boolean;
  readonly selected: BatchItem | undefined;
  readonly files: RunFiles;
  readonly children: ReactNode;
}

function FilesProvider({ isRunning, selected, files, children }: FilesProviderProps) {
  const { id, file } = selected ?? {};
  const count = files.items.length;
  const outline = useMemo(() => {
    return { count, isRunning, selected: id === undefined || !file ? undefined : { id, file } };
  }, [count, isRunning, id, file]);
  const { item, renewal, isLiveRun = false, isOutdated = false } = selected ? files.getShown(selected) : {};
  const shown = useMemo(
    () => item && { item, renewal, isLiveRun, isOutdated },
    [item, renewal, isLiveRun, isOutdated],
  );
  return (
    <RUN_CONTEXTS.outline value={outline}>
      <RUN_CONTEXTS.shown value={shown}>
        <RUN_CONTEXTS.files value={files}>{children}</RUN_CONTEXTS.files>
      </RUN_CONTEXTS.shown>
    </RUN_CONTEXTS.outline>
  );
}

/** Returns what the visitor chose, and the setters of it. */
function useChoices(operationId: OperationId, fields: readonly Field[]) {
  const [kept, setValues] = useSessionState(`${operationId}/values`, initialValues(fields));
  const [location, setLocation] = useSessionState<RunLocation>(`${operationId}/place`, 'device');
  const [selectedId, select] = useSessionState<number | undefined>(`${operationId}/selected`, undefined);
  const values = useMemo(() => validValues(fields, kept), [fields, kept]);
  return { values, location, selectedId, setValues, setLocation, select };
}

/** Returns a tool's batch in this tab. */
function useSessionBatch(operationId: OperationId): SessionBatchState {
  const [{ batch, live, unsaved }] = useState(() => sessionBatch(operationId));
  return {
    batch,
    live,
    view: useSyncExternalStore(batch.subscribe, batch.view, () => NO_FILES),
    renewal: useSyncExternalStore(live.subscribe, live.view, () => null),
    unsaved: useSyncExternalStore(unsaved.subscribe, unsaved.get, () => ALL_SAVED),
  };
}
