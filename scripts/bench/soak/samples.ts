import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { processTree } from '../../support/process-tree.ts';

/** Resources that a service holds at one moment. */
export interface Holdings {
  readonly processes: number;
  readonly descriptors: number;
  /** Proportional set size of all processes together, in bytes: shared pages count once. */
  readonly memoryBytes: number;
  /** Bytes of the files of the data folder by its top-level folder. */
  readonly diskBytes: Readonly<Record<string, number>>;
  /** Jobs that are queued or running. */
  readonly waitingJobs: number;
}

/** Reads what a process and its descendants hold. Linux only: it reads /proc. */
export async function readHoldings(pid: number, dataDir: string, waitingJobs: number): Promise<Holdings> {
  const pids = (await processTree(pid)).map((stat) => stat.pid);
  const [descriptors, memory] = await Promise.all([
    Promise.all(pids.map(openDescriptors)),
    Promise.all(pids.map(proportionalBytes)),
  ]);
  return {
    processes: pids.length,
    descriptors: sum(descriptors),
    memoryBytes: sum(memory),
    diskBytes: await bytesByFolder(dataDir),
    waitingJobs,
  };
}

async function openDescriptors(pid: number): Promise<number> {
  // A process may end between its listing and here.
  return (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
}

async function proportionalBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}

async function bytesByFolder(root: string): Promise<Record<string, number>> {
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const sizes = await Promise.all(
    folders.map(async ({ name }) => [name, await folderBytes(join(root, name))] as const),
  );
  return Object.fromEntries(sizes);
}

async function folderBytes(root: string): Promise<number> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  // A file may be deleted between its listing and here.
  const size = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0;
  return sum(await Promise.all(files.map(({ parentPath, name }) => size(join(parentPath, name)))));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
