import { open } from 'node:fs/promises';
import { createSemaphore, type Semaphore } from '../../../models/core/concurrency.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { getFormat, getImageFormat } from '../../../models/media/image/find-format.ts';
import type { ImageFormat } from '../../../models/media/image/formats.ts';
import type { Isolation } from '../../base/children/isolation.ts';
import type { ProbedFacts, ProbeRequest, Prober } from '../../base/context.ts';
import { KeyedSemaphores } from '../../base/keyed-semaphores.ts';
import type { Logger } from '../../base/log.ts';
import { ProbeChild, type ProbeEnd } from './probe-child.ts';

/** Bytes at the start of a file that may be read here. Usual metadata before the size of a JPEG fits into them. */
const HEAD_BYTES = 131_072;

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
    this.format = getImageFormat(head);
    this.#headBytes = head.length;
    this.#size = size;
    // The base class states the type of bytes that it holds itself.
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

const IDLE_MS = 60_000;

interface ProbePoolLimits {
  /** Processes at the same time. */
  readonly childrenMax: number;
  /** Time limit of one probe. */
  readonly timeoutMs: number;
  /** Niceness of the processes, 0 to 19. */
  readonly niceness: number;
  readonly isolation?: Isolation | undefined;
}

interface PooledProbe {
  readonly signal: AbortSignal;
  readonly onStart?: (() => void) | undefined;
}

/** Child processes that probe files: they start on demand, and end when idle. */
class ProbePool {
  readonly childEnds: Record<string, number> = {};
  readonly #operationsModule: string;
  readonly #limits: ProbePoolLimits;
  readonly #slots: Semaphore;
  /** Idle children and the timers that end them; the last used comes last. */
  readonly #idle = new Map<ProbeChild, NodeJS.Timeout>();

  /** @param operationsModule path of a module that exports OPERATIONS */
  constructor(operationsModule: string, limits: ProbePoolLimits) {
    this.#operationsModule = operationsModule;
    this.#limits = limits;
    this.#slots = createSemaphore(limits.childrenMax);
  }

  /**
   * Probes a file as soon as a process is free.
   * @param options `onStart` is called at that moment
   * @throws the signal's reason when it aborts before
   */
  async probe(request: ProbeRequest, { signal, onStart }: PooledProbe): Promise<ProbeEnd> {
    const release = await this.#slots.acquire(signal);
    try {
      onStart?.();
      const child = this.#takeIdle() ?? new ProbeChild(this.#operationsModule, this.#limits);
      const end = await child.probe(request, this.#limits.timeoutMs, signal);
      if (end.kind === 'facts' || end.kind === 'refused' || end.kind === 'broken') this.#putIdle(child);
      else this.childEnds[end.kind] = (this.childEnds[end.kind] ?? 0) + 1;
      return end;
    } finally {
      release();
    }
  }

  #takeIdle(): ProbeChild | undefined {
    for (const [child, timer] of [...this.#idle].reverse()) {
      this.#idle.delete(child);
      clearTimeout(timer);
      if (!child.hasEnded) return child;
    }
    return undefined;
  }

  #putIdle(child: ProbeChild): void {
    const retire = () => {
      this.#idle.delete(child);
      child.kill();
    };
    this.#idle.set(child, setTimeout(retire, IDLE_MS).unref());
  }
}

export interface ProberOptions {
  /** Path of a module that exports OPERATIONS. */
  readonly operationsModule: string;
  /** The same operations, where images may be probed in this process by the start of their files. */
  readonly operations?: Readonly<Record<string, Operation>>;
  /** Time limit of the probe of a file that an account gives. */
  readonly timeoutMs?: number;
  /** What keeps the processes from the files of others. Without it, they have this process's rights. */
  readonly isolation?: Isolation;
}

/** Prober that counts the children that ended in disorder since its start, by the kind of their end. */
interface CountedProber extends Prober {
  describe(): { readonly childEnds: Readonly<Record<string, number>> };
}

/** Beyond the limits in the readers themselves, which hostile files meet first. */
const TIMEOUT_MS = 20_000;

/** Processes at the same time, for files that accounts give. */
const CHILDREN_MAX = 8;

/** Limits for links, which anybody may give: few processes, which yield to all others, with little time. */
const LINKS: ProbePoolLimits = { childrenMax: 2, timeoutMs: 5_000, niceness: 10 };

/**
 * Creates a prober whose probes run in child processes, which start on demand and end when idle. A probe can delay no
 * request and take no memory of this process, and one that exceeds its time is killed. A worker thread would not do:
 * one array that grows past a thread's heap limit ends the whole process (Node 20). Links have processes of their own.
 * Images of the formats with the simplest headers need none: the start of the file tells.
 */
export function createProber({
  operationsModule,
  operations = {},
  timeoutMs = TIMEOUT_MS,
  isolation,
}: ProberOptions): CountedProber {
  const owners = new KeyedSemaphores(1);
  const files = new ProbePool(operationsModule, {
    childrenMax: CHILDREN_MAX,
    timeoutMs,
    niceness: 0,
    isolation,
  });
  const links = new ProbePool(operationsModule, { ...LINKS, isolation });
  return {
    describe() {
      const childEnds = { ...files.childEnds };
      for (const [kind, count] of Object.entries(links.childEnds))
        childEnds[kind] = (childEnds[kind] ?? 0) + count;
      return { childEnds };
    },
    async probe(request, { owner, signal, log, isLink, onStart }) {
      const facts = await probeHead(operations, request);
      signal.throwIfAborted();
      if (facts) return facts;
      const turn = owners.join(owner);
      const releases: (() => void)[] = [turn.leave];
      try {
        releases.push(await turn.semaphore.acquire(signal));
        const pool = isLink ? links : files;
        const end = await pool.probe(request, { signal, onStart });
        signal.throwIfAborted();
        return readFacts(end, log);
      } finally {
        for (const release of releases) release();
      }
    },
  };
}

function readFacts(end: ProbeEnd, log: Logger): ProbedFacts {
  switch (end.kind) {
    case 'facts':
      return end.facts;
    case 'refused':
      throw new OperationError(end.code, end.message);
    case 'over-time':
      throw new OperationError('bad_request', 'The file takes too long to read. Export it again.');
    case 'crashed':
      log.warn({ detail: end.detail }, 'a file ended its probe');
      throw new OperationError('bad_request', 'The file takes too much memory to read. Export it again.');
    case 'not-started':
      throw new OperationError('unavailable', 'Files cannot be read now. Try again soon.', {
        cause: end.detail,
      });
    case 'broken':
      throw new Error(`A probe failed: ${end.detail}`);
  }
}

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
