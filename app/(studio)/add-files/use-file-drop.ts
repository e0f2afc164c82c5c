'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { parseLinks } from './links.ts';

const LINKS = 'text/uri-list';
const ACCEPTED_TYPES = ['Files', LINKS];
const TYPED = ['text', 'url', 'password'];

interface DropHandlers {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onLinks: (links: readonly string[]) => void;
}

/**
 * Accepts files, folders included, and links that are dropped anywhere on the window or pasted.
 * @returns whether files or links are being dragged over the window
 */
export function useFileDrop(handlers: DropHandlers): boolean {
  const [dragging, setDragging] = useState(false);
  const take = useEffectEvent((files: readonly File[], text: string) => {
    const links = parseLinks(text);
    // Files first: an image dragged from another page may come as both.
    if (files.length > 0) handlers.onFiles(files);
    else if (links.length > 0) handlers.onLinks(links);
  });

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let isOwn = false;
    const canTake = ({ dataTransfer }: DragEvent) =>
      !isOwn && ACCEPTED_TYPES.some((type) => dataTransfer?.types.includes(type));
    const onDrag = (event: DragEvent) => {
      if (!canTake(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const onDrop = async (event: DragEvent) => {
      if (!event.dataTransfer || !canTake(event)) return;
      event.preventDefault();
      setDragging(false);
      const text = event.dataTransfer.getData(LINKS);
      take(await filesOf(event.dataTransfer), text);
    };
    const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
      // A link pasted into a field belongs to the field.
      const isTyping = target instanceof HTMLInputElement && TYPED.includes(target.type);
      const text = isTyping ? '' : (clipboardData?.getData('text/plain') ?? '');
      take([...(clipboardData?.files ?? [])], text);
    };
    // Ignore drags that start within the page, of an image or a menu link.
    window.addEventListener('dragstart', () => (isOwn = true), { signal });
    window.addEventListener('dragend', () => (isOwn = false), { signal });
    window.addEventListener('dragenter', onDrag, { signal });
    window.addEventListener('dragover', onDrag, { signal });
    window.addEventListener('dragleave', (event) => !event.relatedTarget && setDragging(false), { signal });
    window.addEventListener('drop', onDrop, { signal });
    window.addEventListener('paste', onPaste, { signal });
    return () => ending.abort();
  }, []);

  return dragging;
}

async function filesOf(transfer: DataTransfer): Promise<readonly File[]> {
  // Entries must be read before the first await: afterwards the transfer is empty.
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
    // A reader returns at most 100 entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    found.push(...(await Promise.all(some.map(filesBelow))).flat());
  }
}
