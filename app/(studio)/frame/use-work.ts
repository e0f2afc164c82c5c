'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { Batch, BatchItem, BatchView, Where } from './batch.ts';
import { mayWorkOnServer } from './fault.ts';
import { type Field, initialValues, type ParamValues } from './fields.ts';
import { useBatch } from './use-batch.ts';
import { useCloseGuard } from './use-close-guard.ts';
import { type Price, usePrice } from './use-price.ts';

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
  /** Takes new parameters: results made with others are dropped. */
  change(values: ParamValues): void;
  /** Takes new parameters and works on everything anew, unless that has a price. */
  changeAndStart(values: ParamValues): void;
  /** Works on what has no result yet, or on one file of it, on this device. */
  start(id?: number): void;
  /** Sends what is sendable to the server, and nothing that is added meanwhile. */
  startOnServer(): void;
}

/** The files of a tool's page, how they are to be worked on, and where. */
export function useWork(operationId: OperationId, fields: readonly Field[]): Work {
  const [batch, view] = useBatch(operationId);
  const [values, setValues] = useState(() => initialValues(fields));
  const [where, choosePlace] = useState<Where>('device');
  useCloseGuard(view.isRunning);
  useEffect(() => () => batch.cancel(), [batch]);

  const sendable = view.items.filter(
    ({ state }) => mayWorkOnServer(state) || (where === 'server' && state.phase === 'waiting'),
  );
  const price = usePrice(operationId, view.isRunning ? [] : sendable, values);
  const change = (changed: ParamValues) => {
    setValues(changed);
    batch.reset();
  };
  return {
    ...{ ...view, batch, values, where, sendable, price, choosePlace, change },
    changeAndStart(changed) {
      change(changed);
      if (where === 'device') void batch.start({ params: changed, where });
    },
    start(id) {
      void batch.start({ params: values, where: 'device' }, id === undefined ? undefined : [id]);
    },
    startOnServer() {
      const ids = sendable.map(({ id }) => id);
      void batch.start({ params: values, where: 'server' }, ids);
    },
  };
}
