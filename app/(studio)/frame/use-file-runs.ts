'use client';

import { useRef, useState } from 'react';
import type { DeviceSettings } from '../../../models/device-settings.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem, BatchView, DoneState, ItemState, Order, RunLocation } from '../batch/batch.ts';
import type { LiveRun } from '../batch/live-run.ts';
import { isOutdated } from '../batch/outdated.ts';
import type { Batch } from '../batch/run-batch.ts';
import type { Unkept } from '../session/keep-items.ts';
import { useSessionBatch } from '../session/use-session-batch.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { AutoStart, idsOf, startOrRenew } from './auto-start.ts';
import { areSameValues, type Field, initialValues, offeredValues, type ParamValues } from './fields.ts';
import { droppedFiles, liveFiles, type ShownFile } from './live-files.ts';
import { filesForDevice } from './read-fit.ts';
import { type Sendable, useSendable } from './use-sendable.ts';

/** Differences between the files of one tool. */
export interface FileHandling {
  /** Returns the params for one file, based on the chosen values and the location of the run. */
  paramsFor(file: File, values: ParamValues, where: RunLocation): object;
  /** Returns settings that only a run on this device has, based on the chosen values. */
  settingsFor(values: ParamValues): DeviceSettings | undefined;
  /** Whether a file runs as soon as it is added, because it needs no choice first. */
  startsAtOnce(file: File): boolean;
  /** Whether a change of settings renews the selected file on this device and keeps all results. */
  readonly isLive: boolean;
  /** Whether a change of settings keeps all results, until their files run again. A live tool always does. */
  readonly keepsResults: boolean;
  /**
   * Whether the server finds more than a result from this device holds. Absent for a tool whose server finds the same.
   * A result of such a server depends on no settings, so it stays when they change.
   */
  readonly gainsOnServer: ((state: DoneState) => boolean) | undefined;
}

export interface FileRuns extends BatchView, Sendable {
  readonly batch: Batch;
  readonly live: LiveRun;
  readonly selected: BatchItem | undefined;
  /** Files whose result or failure comes from other settings, but for the one that is being renewed. */
  readonly outdated: readonly BatchItem[];
  /** Files and results that a reload would lose. */
  readonly unkept: Unkept;
  readonly values: ParamValues;
  /** Location that the visitor chose. */
  readonly where: RunLocation;
  choosePlace(where: RunLocation): void;
  /**
   * Applies new params. A live tool renews the selected file after a pause; any other reruns the files that start at
   * once, and drops the old results unless it keeps them.
   */
  changeAndStart(values: ParamValues): void;
  /** Starts the files that start at once, unless a run has a price. */
  startAtOnce(): void;
  /** Applies params that a result was made with: nothing runs, and nothing is dropped. */
  adopt(values: ParamValues): void;
  /** Returns what the stage shows of a file. */
  shownOf(item: BatchItem): ShownFile;
  /** Runs all files without a result of the chosen settings, or one of them, on this device. */
  start(id?: number): void;
  /** Reruns one file on this device, with some values changed for that file alone. */
  again(id: number, changed: ParamValues): void;
  /** Sends the sendable files to the server, but no file that is added later. */
  startOnServer(): void;
}

/** Manages a tool's files, their params and where they run. All of it outlives the page. */
export function useFileRuns(
  operationId: OperationId,
  fields: readonly Field[],
  ways: FileHandling,
  selectedId: number | undefined,
): FileRuns {
  const { batch, view, live, renewal, unkept } = useSessionBatch(operationId);
  const [kept, setValues] = useSessionState(`${operationId}/values`, initialValues(fields));
  const values = offeredValues(fields, kept);
  const [where, setPlace] = useSessionState<RunLocation>(`${operationId}/place`, 'device');

  const selected = view.items.find(({ id }) => id === selectedId) ?? view.items[0];
  const keepsResults = ways.isLive || ways.keepsResults;
  const isOfOthers = (state: ItemState, chosen = values) =>
    !(ways.gainsOnServer && isFromServer(state)) && isOutdated(state, chosen);
  const { outdated, shownOf } = keepsResults ? liveFiles(batch, isOfOthers, renewal) : droppedFiles(batch);
  const orderOf = (where: RunLocation, chosen = values): Order => ({
    paramsFor: (file) => ways.paramsFor(file, chosen, where),
    settings: ways.settingsFor(chosen),
    ...{ where, values: chosen },
  });
  const { paramsFor } = orderOf(where);
  const sorted = useSendable(operationId, { ...view, ...ways, outdated, values, where, paramsFor });
  const { sendable, local } = sorted;
  const liveTurn = useRef(0);
  const [autoStart] = useState(
    () => new AutoStart(batch, (items, order) => filesForDevice(operationId, items, order)),
  );
  const startDue = (chosen: ParamValues, isDue: (state: ItemState) => boolean) => {
    const isNext = ({ file, state }: BatchItem) => ways.startsAtOnce(file) && isDue(state);
    if (where === 'device') void autoStart.start(orderOf('device', chosen), isNext);
  };
  return {
    ...{ ...view, ...sorted, batch, live, selected, outdated, shownOf, unkept, values, where },
    startAtOnce: () => startDue(values, isWaiting),
    choosePlace(place) {
      if (place === 'server') live.cancel();
      setPlace(place);
    },
    changeAndStart(changed) {
      setValues(changed);
      if (ways.isLive) return void renewLive(changed);
      if (!keepsResults) batch.reset();
      autoStart.renew();
      startDue(changed, (state) => isWaiting(state) || isOfOthers(state, changed));
    },
    adopt: setValues,
    start(id) {
      const order = orderOf('device');
      if (id !== undefined) return void batch.start(order, [id]);
      void batch.again(order, idsOf(outdated.filter((item) => local.includes(item))));
      void batch.start(order, local.length === view.items.length ? undefined : idsOf(local));
    },
    again(id, changed) {
      // The chosen values stay as they are: the result is no older than they are.
      void batch.again({ ...orderOf('device', { ...values, ...changed }), values }, [id]);
    },
    startOnServer: () => startOrRenew(batch, orderOf('server'), idsOf(sendable)),
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
