'use client';

import type { Progress } from '../../../models/core/runtime/progress.ts';
import stage from './stage.module.css';
import { Waiting } from './waiting.tsx';

interface ReadingProps {
  /** Name of the file. */
  readonly name: string;
  /** Reason why nothing can be shown; undefined while the file is read. */
  readonly failure: string | undefined;
  readonly progress: Progress | undefined;
}

/** Shows that a file is being read, or why it cannot be. */
export function Reading({ name, failure, progress }: ReadingProps) {
  if (failure !== undefined) return <p className={stage.pending}>{failure}</p>;
  return <Waiting words={`Reading ${name}`} progress={progress} />;
}
