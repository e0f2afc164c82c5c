import { open } from 'node:fs/promises';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { getFormat, imageFormatOf } from '../../../models/media/image/find-format.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import type { ProbeRequest } from '../../base/context/prober.ts';

/** Bytes at the start of a file that may be read here. Usual metadata before the size of a JPEG fits into them. */
const HEAD_BYTES = 131_072;

/**
 * Probes an image in this process, by the start of its file alone: a child process would take longer to be asked than
 * such a header takes to be read.
 * @param operations by their ids
 * @returns undefined where only a child process may tell: for other files, and headers that do not end in time
 * @throws OperationError of the probe
 */
export async function probeHead(
  operations: Readonly<Record<string, Operation>>,
  { operationId, path, media }: ProbeRequest,
): Promise<InputFacts | undefined> {
  const operation = operationId === undefined ? undefined : operations[operationId];
  if (!operation) return undefined;
  const file = await readHead(path);
  // The bytes of the head bound the code that reads a simple header.
  if (!file.format || !getFormat(file.format).hasSimpleHeader) return undefined;
  try {
    const facts = await operation.probe(file, media);
    return file.isExceeded ? undefined : facts;
  } catch (thrown) {
    if (file.isExceeded || !(thrown instanceof OperationError)) return undefined;
    // A child passes no more of it on.
    throw new OperationError(thrown.code, thrown.message);
  }
}

async function readHead(path: string): Promise<FileHead> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return new FileHead(head.subarray(0, bytesRead), size);
  } finally {
    await handle.close();
  }
}

/** File of which only the start can be read. Reading on fails. */
class FileHead extends Blob {
  readonly format: ImageFormat | null;
  /** Whether a reader wanted more: whatever it made of that, it knows too little. */
  isExceeded = false;
  readonly #headBytes: number;
  readonly #size: number;

  /** @param size of the whole file, in bytes */
  constructor(head: Buffer<ArrayBuffer>, size: number) {
    super([head]);
    this.format = imageFormatOf(head);
    this.#headBytes = head.length;
    this.#size = size;
    // The base class states that of its own bytes.
    Object.defineProperty(this, 'size', { value: size });
  }

  override slice(start = 0, end = this.#size, type?: string): Blob {
    if (start < 0 || end < 0 || Math.min(end, this.#size) > this.#headBytes) throw this.#exceed();
    return super.slice(start, end, type);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.#size > this.#headBytes) throw this.#exceed();
    return await super.arrayBuffer();
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    throw this.#exceed();
  }

  override async text(): Promise<string> {
    throw this.#exceed();
  }

  #exceed(): Error {
    this.isExceeded = true;
    return new Error('beyond the part of the file that may be read here');
  }
}
