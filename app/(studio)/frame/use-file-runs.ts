'use client';

import type { DeviceSettings } from '../../../models/device-settings.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { Batch, BatchItem, BatchView, Order, RunLocation } from '../batch/batch.ts';
import type { Unkept } from '../session/keep-items.ts';
import { useSessionBatch } from '../session/use-session-batch.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { mayRunOnServer } from './failure.ts';
import { type Field, initialValues, offeredValues, type ParamValues } from './fields.ts';
import { type Price, usePrice } from './use-price.ts';

/** Differences between the files of one tool. */
export interface FileHandling {
  /** Returns the params for one file, based on the chosen values. */
  paramsFor(file: File, values: ParamValues): object;
  /** Returns settings that only a run on this device has, based on the chosen values. */
  settingsFor(values: ParamValues): DeviceSettings | undefined;
  /** Whether a file runs as soon as it is added, because it needs no choice first. */
  startsAtOnce(file: File): boolean;
}

export interface FileRuns extends BatchView {
  readonly batch: Batch;
  /** Files and results that a reload would lose. */
  readonly unkept: Unkept;
  readonly values: ParamValues;
  /** Location that the visitor chose. */
  readonly where: RunLocation;
  /**
   * Files that the server may run: those that failed through no fault of the file, or all files without a result once
   * the server is chosen.
   */
  readonly sendable: readonly BatchItem[];
  /** Price of the sendable files; undefined while it is computed, null when that failed. */
  readonly price: Price | null | undefined;
  choosePlace(where: RunLocation): void;
  /** Applies new params, drops the old results and reruns the files that start at once. */
  changeAndStart(values: ParamValues): void;
  /** Starts the files that start at once, unless a run has a price. */
  startAtOnce(values?: ParamValues): void;
  /** Runs all files without a result, or one of them, on this device. */
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
): FileRuns {
  const [batch, view, unkept] = useSessionBatch(operationId);
  const [kept, setValues] = useSessionState(`${operationId}/values`, initialValues(fields));
  const values = offeredValues(fields, kept);
  const [where, choosePlace] = useSessionState<RunLocation>(`${operationId}/place`, 'device');

  const sendable = view.items.filter(
    ({ state }) => mayRunOnServer(state) || (where === 'server' && state.phase === 'waiting'),
  );
  const orderOf = (where: RunLocation, chosen = values): Order => ({
    paramsFor: (file) => ways.paramsFor(file, chosen),
    settings: ways.settingsFor(chosen),
    where,
  });
  const { paramsFor } = orderOf(where);
  const price = usePrice(operationId, view.isRunning ? [] : sendable, paramsFor);
  const startAtOnce = (chosen = values) => {
    if (where !== 'device') return;
    const ids = batch
      .view()
      .items.filter(({ file, state }) => state.phase === 'waiting' && ways.startsAtOnce(file))
      .map(({ id }) => id);
    if (ids.length > 0) void batch.start(orderOf('device', chosen), ids);
  };
  return {
    ...{ ...view, batch, unkept, values, where, sendable, price, choosePlace, startAtOnce },
    changeAndStart(changed) {
      setValues(changed);
      batch.reset();
      startAtOnce(changed);
    },
    start(id) {
      void batch.start(orderOf('device'), id === undefined ? undefined : [id]);
    },
    again(id, changed) {
      void batch.again(orderOf('device', { ...values, ...changed }), id);
    },
    startOnServer() {
      const ids = sendable.map(({ id }) => id);
      void batch.start(orderOf('server'), ids);
    },
  };
}
