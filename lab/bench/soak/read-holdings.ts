import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcessTree, type ProcessStat, readProportionalBytes } from '../../support/process-tree.ts';
import { readPostgresPid } from '../../support/service.ts';
import { sum } from '../measure.ts';

/**
 * Parts of a service. PostgreSQL keeps the files of tables open as it likes: only the others have to stay as they are.
 */
export const PARTS = [
  'supervisor',
  'web',
  'children of web',
  'runner',
  'children of runner',
  'PostgreSQL',
] as const;

export type Part = (typeof PARTS)[number];

/** Resources that the processes of a part hold. */
export interface PartUsage {
  readonly processes: number;
  readonly descriptors: number;
  /** Proportional set size of all its processes together, in bytes: shared pages count once. */
  readonly memoryBytes: number;
}

/** Resources that a service holds at one moment. */
export interface ResourceUsage {
  readonly parts: Readonly<Record<Part, PartUsage>>;
  /** Bytes of the files of the data folder by its top-level folder. */
  readonly diskBytes: Readonly<Record<string, number>>;
  /** Jobs that are queued or running. */
  readonly waitingJobs: number;
}

/** Reads what a service and its embedded PostgreSQL hold. Linux only: it reads /proc. */
export async function readResourceUsage(
  pid: number,
  dataDir: string,
  waitingJobs: number,
): Promise<ResourceUsage> {
  const [own, postgres] = await Promise.all([
    listProcessTree(pid),
    readPostgresPid(dataDir).then(listProcessTree),
  ]);
  const getPart = await getParts(own, pid);
  const holdings = async (part: Part): Promise<PartUsage> => {
    const pids = (part === 'PostgreSQL' ? postgres : own.filter((each) => getPart(each) === part)).map(
      (each) => each.pid,
    );
    return {
      processes: pids.length,
      descriptors: sum(await Promise.all(pids.map(openDescriptors))),
      memoryBytes: sum(await Promise.all(pids.map(readProportionalBytes))),
    };
  };
  const parts = await Promise.all(PARTS.map(async (part) => [part, await holdings(part)] as const));
  return {
    parts: Object.fromEntries(parts) as Record<Part, PartUsage>,
    diskBytes: await bytesByFolder(dataDir),
    waitingJobs,
  };
}

/** Tells the supervisor's own parts, by their modules, from what they have started. */
async function getParts(tree: readonly ProcessStat[], root: number): Promise<(process: ProcessStat) => Part> {
  const commands = tree
    .filter(({ parent }) => parent === root)
    .map(async ({ pid }) => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const);
  const direct = new Map(await Promise.all(commands));
  const parents = new Map(tree.map(({ pid, parent }) => [pid, parent]));
  return ({ pid }) => {
    if (pid === root) return 'supervisor';
    let top = pid;
    while (top !== root && !direct.has(top)) top = parents.get(top) ?? root;
    const [, part = 'supervisor'] = /\/(web|runner)\./.exec(direct.get(top) ?? '') ?? [];
    return (top === pid || part === 'supervisor' ? part : `children of ${part}`) as Part;
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
