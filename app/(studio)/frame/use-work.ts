'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { Batch, BatchItem, BatchView, Order, Where } from './batch.ts';
import { mayWorkOnServer } from './fault.ts';
import { type Field, initialValues, type ParamValues } from './fields.ts';
import { useBatch } from './use-batch.ts';
import { useCloseGuard } from './use-close-guard.ts';
import { type Price, usePrice } from './use-price.ts';

/** What differs between the files of one tool. */
export interface FileWays {
  /** The parameters for one file, out of the chosen values. */
  paramsFor(file: File, values: ParamValues): object;
  /** Whether it is worked on as soon as it is there: for what asks nothing beforehand. */
  startsAtOnce(file: File): boolean;
}

export interface Work extends BatchView {
  readonly batch: Batch;
  readonly values: ParamValues;
  /** Where the visitor wants the work done. */
  readonly where: Where;
  /** What the server may be asked for: what failed by no fault of its own, or all without a result once it is chosen. */
  readonly sendable: readonly BatchItem[];
  /** Of what is sendable. */
  readonly price: Price | undefined;
  choosePlace(where: Where): void;
  /** Takes new parameters and works anew on what starts at once: results made with others are dropped. */
  changeAndStart(values: ParamValues): void;
  /** Starts what starts at once, unless that has a price. */
  startAtOnce(values?: ParamValues): void;
  /** Works on what has no result yet, or on one file of it, on this device. */
  start(id?: number): void;
  /** Works on one file anew, on this device, with some values changed for it alone. */
  again(id: number, changed: ParamValues): void;
  /** Sends what is sendable to the server, and nothing that is added meanwhile. */
  startOnServer(): void;
}

/** The files of a tool's page, how they are to be worked on, and where. */
export function useWork(operationId: OperationId, fields: readonly Field[], ways: FileWays): Work {
  const [batch, view] = useBatch(operationId);
  const [values, setValues] = useState(() => initialValues(fields));
  const [where, choosePlace] = useState<Where>('device');
  useCloseGuard(view.isRunning);
  useEffect(() => () => batch.cancel(), [batch]);

  const sendable = view.items.filter(
    ({ state }) => mayWorkOnServer(state) || (where === 'server' && state.phase === 'waiting'),
  );
  const orderOf = (where: Where, chosen = values): Order => ({
    paramsFor: (file) => ways.paramsFor(file, chosen),
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
    ...{ ...view, batch, values, where, sendable, price, choosePlace, startAtOnce },
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
