'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { takeCarriedFiles } from '../carry.ts';
import { mediaKind } from '../media-kind.ts';
import { TOOLS } from '../tools.ts';
import { useFileDrop } from '../use-file-drop.ts';
import type { Batch, BatchItem, BatchView } from './batch.ts';
import { type Field, initialValues, type ParamValues } from './fields.ts';
import { useBatch } from './use-batch.ts';
import { useCloseGuard } from './use-close-guard.ts';

interface ToolState extends BatchView {
  readonly batch: Batch;
  readonly values: ParamValues;
  readonly selected: BatchItem | undefined;
  /** Names of files that are of another kind than the tool takes. */
  readonly refused: readonly string[];
  readonly isDragging: boolean;
  select(id: number): void;
  add(files: readonly File[]): void;
  /** Takes new parameters: results made with others are dropped. */
  change(values: ParamValues): void;
}

/** All that a tool's page remembers while it is open. */
export function useTool(operationId: OperationId, fields: readonly Field[]): ToolState {
  const [batch, view] = useBatch(operationId);
  const [values, setValues] = useState(() => initialValues(fields));
  const [selectedId, select] = useState<number>();
  const [refused, setRefused] = useState<readonly string[]>([]);
  useCloseGuard(view.isRunning);

  const add = (files: readonly File[]) => {
    const fitting = files.filter((file) => mediaKind(file) === TOOLS[operationId].takes);
    setRefused(files.filter((file) => !fitting.includes(file)).map(({ name }) => name));
    if (fitting.length > 0) select(batch.add(fitting));
  };
  const isDragging = useFileDrop(add);
  // biome-ignore lint/correctness/useExhaustiveDependencies: carried files are taken once, when the page opens
  useEffect(() => add(takeCarriedFiles()), []);
  useEffect(() => () => batch.cancel(), [batch]);

  const selected = view.items.find(({ id }) => id === selectedId) ?? view.items[0];
  const change = (changed: ParamValues) => {
    setValues(changed);
    batch.reset();
  };
  return { ...view, batch, values, selected, refused, isDragging, select, add, change };
}
