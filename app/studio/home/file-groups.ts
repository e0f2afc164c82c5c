import type { RecognisedFile } from '../files/kind-by-bytes.ts';
import type { MediaKind } from '../files/media-kind.ts';
import type { Tool } from '../tools/tool.ts';
import { fitsTool, TOOL_LIST } from '../tools/tools.ts';

/** Dropped files that the same tools accept. */
export interface FileGroup {
  readonly kind: MediaKind | undefined;
  readonly files: readonly File[];
  /** Empty where no tool accepts them. */
  readonly tools: readonly Tool[];
  /** Whether they hold nothing. */
  readonly isEmpty: boolean;
}

/** Groups files by their kind and the tools that accept them, in the order of their first files. */
export function groupFiles(found: readonly RecognisedFile[]): readonly FileGroup[] {
  const groups = new Map<string, FileGroup>();
  for (const { file, kind } of found) {
    const fitting = TOOL_LIST.filter((tool) => kind && tool.takes.includes(kind) && fitsTool(tool, file));
    const isEmpty = file.size === 0;
    const key = [kind, isEmpty, ...fitting.map(({ slug }) => slug)].join(' ');
    const files = [...(groups.get(key)?.files ?? []), file];
    groups.set(key, { kind, files, tools: fitting, isEmpty });
  }
  return [...groups.values()];
}
