'use client';

import { useState } from 'react';
import type { RecognisedFile } from '../files/kind-by-bytes.ts';
import { recogniseFiles } from '../files/recognise.ts';

export interface DroppedFiles {
  readonly files: readonly RecognisedFile[];
  /** Names of the files of the last drop that the browser could not read. */
  readonly unreadable: readonly string[];
  /** Recognises files by their bytes, and adds them. */
  add(files: readonly File[], unreadable?: readonly string[]): void;
  clear(): void;
}

/** Files that the visitor gave to the home page. */
export function useDroppedFiles(): DroppedFiles {
  const [files, setFiles] = useState<readonly RecognisedFile[]>([]);
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const add = async (added: readonly File[], lost: readonly string[] = []) => {
    setUnreadable(lost);
    const recognised = await recogniseFiles(added);
    setFiles((before) => [...before, ...recognised]);
  };
  return { files, unreadable, add: (...drop) => void add(...drop), clear: () => setFiles([]) };
}
