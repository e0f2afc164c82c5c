'use client';

import { useRef, useState } from 'react';
import type { DeviceSettings } from '../../../models/device/settings.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem, BatchView, DoneState, ItemState, RunLocation, RunRequest } from '../batch/batch.ts';
import { isOutdated } from '../batch/is-outdated.ts';
import type { LiveRun } from '../batch/live-run.ts';
import type { Batch } from '../batch/run-batch.ts';
import { filesForDevice } from '../fit/read-fit.ts';
import { type Sendable, useSendable } from '../fit/use-sendable.ts';
import { areSameValues, type Field, initialValues, type ParamValues, validValues } from '../params/fields.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { AutoStart, idsOf, startOrRerun } from './auto-start.ts';
import type { Unsaved } from './persist-items.ts';
import { keepingView, resettingView, type ShownFile } from './shown-files.ts';
import { useSessionBatch } from './use-session-batch.ts';

/** Differences between the files of one tool. */
export interface FileHandling {
  /** Returns the params for one file, based on the chosen values and the location of the run. */
  paramsFor(file: File, values: ParamValues, where: RunLocation): object;
  /** Returns settings that only a run on this device has, based on the chosen values. */
  settingsFor(values: ParamValues): DeviceSettings | undefined;
  /** Whether a file runs as soon as it is added, because it needs no choice first. */
  startsAutomatically(file: File): boolean;
  /** Whether a change of settings renews the selected file on this device and keeps all results. */
  readonly isLive: boolean;
  /** Whether a change of settings keeps all results, until their files run again. A live tool always does. */
  readonly keepsResults: boolean;
  /**
   * Whether the server finds more than a result from this device holds. Absent for a tool whose server finds the same.
   * A result of such a server depends on no settings, so it stays when they change.
   */
  readonly improvesOnServer: ((state: DoneState) => boolean) | undefined;
}

export interface FileRuns extends BatchView, Sendable {
  readonly batch: Batch;
  readonly live: LiveRun;
  readonly selected: BatchItem | undefined;
  /** Files whose result or failure comes from other settings, but for the one that is being renewed. */
  readonly outdated: readonly BatchItem[];
  /** Files and results that a reload would lose. */
  readonly unsaved: Unsaved;
  readonly values: ParamValues;
  /** Location that the visitor chose. */
  readonly location: RunLocation;
  chooseLocation(where: RunLocation): void;
  /**
   * Applies new params. A live tool renews the selected file after a pause; any other reruns the files that start at
   * once, and drops the old results unless it keeps them.
   */
  applyAndStart(values: ParamValues): void;
  /** Starts the files that start at once, unless a run has a price. */
  startAutomatically(): void;
  /** Applies params that a result was made with: nothing runs, and nothing is dropped. */
  applyValues(values: ParamValues): void;
  /** Returns what the stage shows of a file. */
  shownOf(item: BatchItem): ShownFile;
  /** Runs all files without a result of the chosen settings, or one of them, on this device. */
  start(id?: number): void;
  /** Reruns one file on this device, with some values changed for that file alone. */
  rerun(id: number, changed: ParamValues): void;
  /** Sends the sendable files to the server, but no file that is added later. */
  startOnServer(): void;
}

/** Manages a tool's files, their params and where they run. All of it outlives the page. */
export function useFileRuns(
  operationId: OperationId,
  fields: readonly Field[],
  handling: FileHandling,
  selectedId: number | undefined,
): FileRuns {
  const { batch, view, live, renewal, unsaved } = useSessionBatch(operationId);
  const [kept, setValues] = useSessionState(`${operationId}/values`, initialValues(fields));
  const values = validValues(fields, kept);
  const [where, setPlace] = useSessionState<RunLocation>(`${operationId}/place`, 'device');

  const selected = view.items.find(({ id }) => id === selectedId) ?? view.items[0];
  const keepsResults = handling.isLive || handling.keepsResults;
  const isOfOthers = (state: ItemState, chosen = values) =>
    !(handling.improvesOnServer && isFromServer(state)) && isOutdated(state, chosen);
  const { outdated, shownOf } = keepsResults ? keepingView(batch, isOfOthers, renewal) : resettingView(batch);
  const orderOf = (where: RunLocation, chosen = values): RunRequest => ({
    paramsFor: (file) => handling.paramsFor(file, chosen, where),
    settings: handling.settingsFor(chosen),
    ...{ location: where, values: chosen },
  });
  const { paramsFor } = orderOf(where);
  const sorted = useSendable(operationId, { ...view, ...handling, outdated, values, where, paramsFor });
  const { sendable, local } = sorted;
  const liveTurn = useRef(0);
  const [autoStart] = useState(
    () => new AutoStart(batch, (items, order) => filesForDevice(operationId, items, order)),
  );
  const startDue = (chosen: ParamValues, isDue: (state: ItemState) => boolean) => {
    const isNext = ({ file, state }: BatchItem) => handling.startsAutomatically(file) && isDue(state);
    if (where === 'device') void autoStart.start(orderOf('device', chosen), isNext);
  };
  return {
    ...{ ...view, ...sorted, batch, live, selected, outdated, shownOf, unsaved, values, location: where },
    startAutomatically: () => startDue(values, isWaiting),
    chooseLocation(place) {
      if (place === 'server') live.cancel();
      setPlace(place);
    },
    applyAndStart(changed) {
      setValues(changed);
      if (handling.isLive) return void renewLive(changed);
      if (!keepsResults) batch.reset();
      autoStart.dropPending();
      startDue(changed, (state) => isWaiting(state) || isOfOthers(state, changed));
    },
    applyValues: setValues,
    start(id) {
      const order = orderOf('device');
      if (id !== undefined) return void batch.start(order, [id]);
      void batch.rerun(order, idsOf(outdated.filter((item) => local.includes(item))));
      void batch.start(order, local.length === view.items.length ? undefined : idsOf(local));
    },
    rerun(id, changed) {
      // The chosen values stay as they are: the result is no older than they are.
      void batch.rerun({ ...orderOf('device', { ...values, ...changed }), values }, [id]);
    },
    startOnServer: () => startOrRerun(batch, orderOf('server'), idsOf(sendable)),
  };

  /** Never on the server: a live run has no price. */
  async function renewLive(chosen: ParamValues): Promise<void> {
    const mine = ++liveTurn.current;
    const madeWith = selected && 'madeWith' in selected.state ? selected.state.madeWith : undefined;
    if (!selected || where === 'server' || (madeWith && areSameValues(madeWith, chosen)))
      return live.cancel();
    const order = orderOf('device', chosen);
    const [item] = await filesForDevice(operationId, [selected], order);
    if (mine !== liveTurn.current) return;
    if (item) live.request(order, item.id);
    else live.cancel();
  }
}

const isWaiting = ({ phase }: ItemState): boolean => phase === 'waiting';

const isFromServer = (state: ItemState): boolean =>
  state.phase === 'done' && state.result.server !== undefined;
