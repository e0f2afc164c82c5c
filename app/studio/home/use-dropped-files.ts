'use client';

import { useState } from 'react';
import type { RecognisedFile } from '../files/kind-by-bytes.ts';
import { recogniseFiles } from '../files/recognise.ts';

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
    const recognised = await recogniseFiles(given);
    setFiles((before) => [...before, ...recognised]);
  };
  return { files, add: (given) => void add(given), clear: () => setFiles([]) };
}
