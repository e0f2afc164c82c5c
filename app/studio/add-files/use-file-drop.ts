'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { isTypedIn } from '../../ui/hooks.ts';
import { parseLinks } from './links.ts';

const LINKS = 'text/uri-list';
const ACCEPTED_TYPES = ['Files', LINKS];

/** Files of a drop. */
export interface Drop {
  readonly files: readonly File[];
  /** Names of the files and folders that the browser could not read. */
  readonly unreadable: readonly string[];
}

interface DropHandlers {
  /** @param unreadable names of further files that the browser could not read */
  readonly onFiles: (files: readonly File[], unreadable: readonly string[]) => void;
  readonly onLinks: (links: readonly string[]) => void;
}

/**
 * Accepts files, folders included, and links that are dropped anywhere on the window or pasted.
 * @returns whether files or links are being dragged over the window
 */
export function useFileDrop(handlers: DropHandlers): boolean {
  const [dragging, setDragging] = useState(false);
  const take = useEffectEvent(({ files, unreadable }: Drop, text: string) => {
    const links = parseLinks(text);
    // Files first: an image dragged from another page may come as both.
    if (files.length + unreadable.length > 0) handlers.onFiles(files, unreadable);
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
      take(await readDrop(event.dataTransfer), text);
    };
    const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
      // A link pasted into a field belongs to the field.
      const text = isTypedIn(target) ? '' : (clipboardData?.getData('text/plain') ?? '');
      take({ files: [...(clipboardData?.files ?? [])], unreadable: [] }, text);
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

/** Names the files that the browser could not read, in one sentence. */
export function describeUnreadable(names: readonly string[]): string {
  return `Skipped: ${new Intl.ListFormat('en').format(names)} could not be read.`;
}

/** Reads the files of a drop, those in folders included. One that the browser cannot read keeps no other one back. */
export async function readDrop(transfer: DataTransfer): Promise<Drop> {
  // Entries must be read before the first await: afterwards the transfer is empty.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry.isDirectory)) return { files: plain, unreadable: [] };
  return await readEntries(entries);
}

async function readEntries(entries: readonly FileSystemEntry[]): Promise<Drop> {
  const drops = await Promise.all(
    entries.map((entry) => readEntry(entry).catch(() => ({ files: [], unreadable: [entry.name] }))),
  );
  return {
    files: drops.flatMap(({ files }) => files),
    unreadable: drops.flatMap(({ unreadable }) => unreadable),
  };
}

/** @throws DOMException when the browser cannot read the file, or list the folder */
async function readEntry(entry: FileSystemEntry): Promise<Drop> {
  if (!entry.isFile) return await readEntries(await listFolder(entry as FileSystemDirectoryEntry));
  const file = await new Promise<File>((resolve, reject) =>
    (entry as FileSystemFileEntry).file(resolve, reject),
  );
  return { files: [file], unreadable: [] };
}

async function listFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // A reader returns at most 100 entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
