import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { proportionalBytes } from '../../support/process-memory.ts';
import { processTree } from '../../support/process-tree.ts';
import { postgresPid } from '../../support/service.ts';
import { sum } from '../measure.ts';

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

/** Reads what a service and its embedded PostgreSQL hold. Linux only: it reads /proc. */
export async function readHoldings(pid: number, dataDir: string, waitingJobs: number): Promise<Holdings> {
  const trees = await Promise.all([pid, await postgresPid(dataDir)].map(processTree));
  const pids = trees.flat().map((stat) => stat.pid);
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

async function bytesByFolder(root: string): Promise<Record<string, number>> {
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const sizes = await Promise.all(
    folders.map(async ({ name }) => [name, await folderBytes(join(root, name))] as const),
  );
  return Object.fromEntries(sizes);
}

/** Returns the bytes of all files in a folder and its folders. */
export async function folderBytes(root: string): Promise<number> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  // A file may be deleted between its listing and here.
  const size = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0;
  return sum(await Promise.all(files.map(({ parentPath, name }) => size(join(parentPath, name)))));
}
