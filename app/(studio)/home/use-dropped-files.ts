'use client';

import { useState } from 'react';
import type { RecognisedFile } from '../files/kind-by-bytes.ts';

export interface DroppedFiles {
  readonly files: readonly RecognisedFile[];
  /** Recognises files by their bytes, and adds them. */
  add(files: readonly File[]): void;
  clear(): void;
}

/** Files that the visitor gave to the home page. */
export function useDroppedFiles(): DroppedFiles {
  const [files, setFiles] = useState<readonly RecognisedFile[]>([]);
  const add = async (given: readonly File[]) => {
    // Loaded only here: most visitors of the page drop nothing.
    const { recogniseFile } = await import('../files/kind-by-bytes.ts');
    const recognised = await Promise.all(given.map(recogniseFile));
    setFiles((before) => [...before, ...recognised]);
  };
  return { files, add: (given) => void add(given), clear: () => setFiles([]) };
}
