import type { FileResult } from '../runs/batch.ts';

/** Says which steps have flagged a file, and that its recipe ended there. */
export function listFlagged({ details }: FileResult): readonly string[] {
  const { steps, stopped_by } = { ...(details as PipelineDetails | undefined) };
  return Object.entries(steps ?? {}).flatMap(([id, { flagged }]) => {
    if (flagged !== true) return [];
    return id === stopped_by ? `Flagged by ${id}, and stopped there.` : `Flagged by ${id}.`;
  });
}

/** Findings of a recipe's run that the list of files tells. */
interface PipelineDetails {
  readonly steps?: Readonly<Record<string, { readonly flagged?: unknown }>>;
  readonly stopped_by?: string;
}
