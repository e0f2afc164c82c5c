'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { takeCarriedFiles } from '../carry.ts';
import { fitsTool, TOOLS } from '../tools.ts';
import { useFileDrop } from '../use-file-drop.ts';
import { type Links, useLinks } from '../use-links.ts';
import type { BatchItem } from './batch.ts';
import type { Field } from './fields.ts';
import { type FileWays, useWork, type Work } from './use-work.ts';

interface ToolState {
  readonly work: Work;
  readonly selected: BatchItem | undefined;
  /** Names of files that are of another kind than the tool takes. */
  readonly refused: readonly string[];
  readonly links: Links;
  readonly isDragging: boolean;
  select(id: number): void;
  add(files: readonly File[]): void;
}

/** All that a tool's page remembers while it is open. */
export function useTool(operationId: OperationId, fields: readonly Field[], ways: FileWays): ToolState {
  const work = useWork(operationId, fields, ways);
  const [selectedId, select] = useState<number>();
  const [refused, setRefused] = useState<readonly string[]>([]);

  const add = (files: readonly File[]) => {
    const fitting = files.filter((file) => fitsTool(TOOLS[operationId], file));
    setRefused(files.filter((file) => !fitting.includes(file)).map(({ name }) => name));
    if (fitting.length === 0) return;
    select(work.batch.add(fitting));
    work.startAtOnce();
  };
  const links = useLinks(add);
  const isDragging = useFileDrop({ onFiles: add, onLinks: links.take });
  // biome-ignore lint/correctness/useExhaustiveDependencies: carried files are taken once, when the page opens
  useEffect(() => add(takeCarriedFiles()), []);

  const selected = work.items.find(({ id }) => id === selectedId) ?? work.items[0];
  return { work, selected, refused, links, isDragging, select, add };
}
