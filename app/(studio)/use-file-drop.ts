'use client';

import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Takes files dropped anywhere on the window or pasted, folders included.
 * @returns whether files are being dragged over the window now
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [dragging, setDragging] = useState(false);
  const take = useEffectEvent((files: readonly File[]) => {
    if (files.length > 0) onFiles(files);
  });

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onDrag = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const onDrop = async (event: DragEvent) => {
      if (!event.dataTransfer || !carriesFiles(event)) return;
      event.preventDefault();
      setDragging(false);
      take(await filesOf(event.dataTransfer));
    };
    window.addEventListener('dragenter', onDrag, { signal });
    window.addEventListener('dragover', onDrag, { signal });
    window.addEventListener('dragleave', (event) => !event.relatedTarget && setDragging(false), { signal });
    window.addEventListener('drop', onDrop, { signal });
    window.addEventListener('paste', (event) => take([...(event.clipboardData?.files ?? [])]), { signal });
    return () => ending.abort();
  }, []);

  return dragging;
}

async function filesOf(transfer: DataTransfer): Promise<readonly File[]> {
  // Entries must be asked for before the first await: afterwards the transfer is empty.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return plain;
  return (await Promise.all(entries.map(filesBelow))).flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return [
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    ];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // A reader gives at most 100 entries at a time, and none when all are told.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    found.push(...(await Promise.all(some.map(filesBelow))).flat());
  }
}
