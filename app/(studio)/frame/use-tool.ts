'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { takeCarriedFiles } from '../files/carry.ts';
import { recognise } from '../files/recognise.ts';
import { useFileDrop } from '../files/use-file-drop.ts';
import { type Links, useLinks } from '../links/use-links.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { count } from '../text/quantities.ts';
import { type Refusal, refusalOf } from '../tools/refusals.ts';
import { fitsTool, TOOLS } from '../tools/tools.ts';
import { type Undo, useUndo } from '../undo/use-undo.ts';
import type { Field } from './fields.ts';
import { type FileHandling, type FileRuns, useFileRuns } from './use-file-runs.ts';

interface ToolState {
  readonly work: FileRuns;
  /** Files of a kind that the tool does not accept. */
  readonly refused: readonly Refusal[];
  /** Number of times that files were added since the page opened. */
  readonly additions: number;
  readonly links: Links;
  readonly isDragging: boolean;
  /** Way back from the last removal. */
  readonly undo: Undo;
  select(id: number): void;
  add(files: readonly File[]): void;
  /** Removes one file, or all. */
  remove(id?: number): void;
  dismissRefused(): void;
}

/** State of a tool's page. */
export function useTool(operationId: OperationId, fields: readonly Field[], ways: FileHandling): ToolState {
  const [selectedId, select] = useSessionState<number | undefined>(`${operationId}/selected`, undefined);
  const work = useFileRuns(operationId, fields, ways, selectedId);
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [additions, setAdditions] = useState(0);
  const tool = TOOLS[operationId];

  const take = async (chosen: readonly File[]) => {
    const files = (await recognise(chosen)).map(({ file }) => file);
    const fitting = files.filter((file) => fitsTool(tool, file));
    setRefused(files.filter((file) => !fitting.includes(file)).map((file) => refusalOf(tool, file)));
    if (fitting.length === 0) return;
    select(work.batch.add(fitting));
    setAdditions((before) => before + 1);
    work.startAtOnce();
  };
  const add = (files: readonly File[]) => void take(files);
  const undo = useUndo();
  const remove = (id?: number) => {
    const { batch, items } = work;
    const removed = id === undefined ? items : items.filter((item) => item.id === id);
    const [first] = removed;
    if (!first) return;
    if (id === undefined) batch.removeAll();
    else batch.remove(id);
    const words = id === undefined ? count(removed.length, 'file') : first.file.name;
    undo.suggest(`${words} removed.`, () => {
      batch.restore(removed);
      select(selectedId ?? first.id);
    });
  };
  const links = useLinks(add);
  const isDragging = useFileDrop({ onFiles: add, onLinks: links.addLinks });
  // biome-ignore lint/correctness/useExhaustiveDependencies: carried files are taken once, when the page opens
  useEffect(() => add(takeCarriedFiles()), []);

  return {
    ...{ work, refused, additions, links, isDragging, undo, select, add, remove },
    dismissRefused: () => setRefused([]),
  };
}
