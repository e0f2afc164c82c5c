'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { formatCount } from '../../ui/quantities.ts';
import { useFileDrop } from '../add-files/use-file-drop.ts';
import { type Links, useLinks } from '../add-files/use-links.ts';
import { consumePendingFiles } from '../files/pending-files.ts';
import { recogniseFiles } from '../files/recognise.ts';
import { useRunActions } from '../runs/runs-context.ts';
import { getRefusal, type Refusal } from '../tools/refusals.ts';
import { fitsTool, TOOLS } from '../tools/tools.ts';
import { type Undo, useUndo } from './undo-notice.tsx';

export interface ToolState {
  /** Files that the tool does not accept, or the browser could not read. */
  readonly refused: readonly Refusal[];
  /** Number of times that files were added since the page opened. */
  readonly additions: number;
  readonly links: Links;
  readonly isDragging: boolean;
  /** Way back from removals. */
  readonly undo: Undo;
  add(files: readonly File[]): void;
  /** Removes one file, or all. */
  remove(id?: number): void;
  dismissRefused(): void;
}

/** Adds files to a tool's page, from wherever they come, and removes them. */
export function useTool(operationId: OperationId): ToolState {
  const { batch, select, startAutomatically } = useRunActions();
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [additions, setAdditions] = useState(0);
  const tool = TOOLS[operationId];

  const take = async (chosen: readonly File[], unreadable: readonly string[]) => {
    const files = (await recogniseFiles(chosen)).map(({ file }) => file);
    const fitting = files.filter((file) => fitsTool(tool, file));
    setRefused([
      ...files.filter((file) => !fitting.includes(file)).map((file) => getRefusal(tool, file)),
      ...unreadable.map((name) => ({ name, reason: 'could not be read' })),
    ]);
    if (fitting.length === 0) return;
    select(batch.add(fitting));
    setAdditions((before) => before + 1);
    startAutomatically();
  };
  const add = (files: readonly File[], unreadable: readonly string[] = []) => void take(files, unreadable);
  const links = useLinks(add);
  const isDragging = useFileDrop({ onFiles: add, onLinks: links.addLinks });
  // biome-ignore lint/correctness/useExhaustiveDependencies: pending files are consumed once, when the page opens
  useEffect(() => add(consumePendingFiles()), []);
  const undo = useUndo();
  const remove = useRemoval(undo);
  return { refused, additions, links, isDragging, undo, add, remove, dismissRefused: () => setRefused([]) };
}

/** Returns the removal of one file, or all, which the visitor can take back. */
function useRemoval(undo: Undo): ToolState['remove'] {
  const { batch, select, selected } = useRunActions();
  return (id) => {
    const { items } = batch.view();
    const removed = id === undefined ? items : items.filter((item) => item.id === id);
    const [first] = removed;
    if (!first) return;
    const shown = selected() ?? first;
    if (id === undefined) batch.removeAll();
    else batch.remove(id);
    const words = id === undefined ? formatCount(removed.length, 'file') : first.file.name;
    undo.suggest(`${words} removed.`, () => {
      batch.restore(removed);
      select(shown.id);
    });
  };
}

/** Returns the kinds of files that a tool accepts, as file pickers read them. */
export function getAccept(operationId: OperationId): string {
  const { takes, extensions } = TOOLS[operationId];
  return [...takes.map((kind) => `${kind}/*`), ...extensions].join(',');
}
