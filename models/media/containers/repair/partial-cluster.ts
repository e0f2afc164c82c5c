import { CLUSTER, type ElementHead, HEAD_BYTES, parseElementHead, SEGMENT } from '../element-head.ts';

/** Elements that are looked at: more than the clusters of a day, or the blocks of one. */
const ELEMENTS_MAX = 20_000;

interface OpenElement {
  readonly id: number;
  /** Place of its size, whose bytes end where its body begins. */
  readonly sizeAt: number;
  readonly body: number;
  readonly end: number;
}

/**
 * Shortens a WebM or Matroska file that ends within a cluster to its last whole block, and the cluster with it:
 * mediabunny (1.61) reads whole clusters only.
 * @returns the same file where it ends between clusters, or their sizes are not known
 */
export async function dropPartialCluster(file: Blob): Promise<Blob> {
  const header = await elementAt(file, 0);
  const segment = header && (await headAt(file, header.end));
  if (header === null || segment?.id !== SEGMENT) return file;
  const { element: cluster } = await findEnding(file, header.end + segment.bytes);
  if (cluster?.id !== CLUSTER || cluster.body >= file.size) return file;
  const { at: end } = await findEnding(file, cluster.body);
  if (end === cluster.body) return file;
  const size = new Uint8Array(cluster.body - cluster.sizeAt);
  for (let at = size.length - 1, left = end - cluster.body; at >= 0; at--, left = Math.floor(left / 256)) {
    size[at] = left % 256;
  }
  size[0] = size[0] | (0x80 >> (size.length - 1));
  return new Blob([file.slice(0, cluster.sizeAt), size, file.slice(cluster.body, end)]);
}

/**
 * Finds the end of the last of consecutive elements that is whole.
 * @returns that place, and the element that ends behind the file; null where not even its head is there
 */
async function findEnding(file: Blob, from: number): Promise<{ at: number; element: OpenElement | null }> {
  let at = from;
  for (let count = 0; count < ELEMENTS_MAX; count++) {
    const element = await elementAt(file, at);
    if (!element || element.end > file.size) return { at, element };
    at = element.end;
  }
  return { at, element: null };
}

async function headAt(file: Blob, start: number): Promise<ElementHead | null> {
  return parseElementHead(new Uint8Array(await file.slice(start, start + HEAD_BYTES).arrayBuffer()));
}

/** Reads the head of an element; null at the end of the file, and where its size is unknown. */
async function elementAt(file: Blob, start: number): Promise<OpenElement | null> {
  const head = await headAt(file, start);
  if (!head || head.size === null) return null;
  const body = start + head.bytes;
  return { id: head.id, sizeAt: start + head.sizeAt, body, end: body + head.size };
}
