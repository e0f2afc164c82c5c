import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import type { Prober } from '../../base/context/prober.ts';
import { KeyedSemaphores } from '../../base/keyed-semaphores.ts';
import type { Logger } from '../../base/log.ts';
import type { ProbeEnd } from './probe-child.ts';
import { probeHead } from './probe-head.ts';
import { ProbePool, type ProbePoolLimits } from './probe-pool.ts';

export interface ProberOptions {
  /** Path of a module that exports OPERATIONS. */
  readonly operationsModule: string;
  /** The same operations, where images may be probed in this process by the start of their files. */
  readonly operations?: Readonly<Record<string, Operation>>;
  /** Time limit of the probe of a file that an account gives. */
  readonly timeoutMs?: number;
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
}: ProberOptions): Prober {
  const owners = new KeyedSemaphores(1);
  const files = new ProbePool(operationsModule, { childrenMax: CHILDREN_MAX, timeoutMs, niceness: 0 });
  const links = new ProbePool(operationsModule, LINKS);
  return {
    async probe(request, { owner, signal, log, onStart }) {
      const facts = await probeHead(operations, request);
      signal.throwIfAborted();
      if (facts) return facts;
      const turn = owners.join(owner);
      const releases: (() => void)[] = [turn.leave];
      try {
        releases.push(await turn.semaphore.acquire(signal));
        const pool = request.operationId === undefined ? links : files;
        const end = await pool.probe(request, { signal, onStart });
        signal.throwIfAborted();
        return readFacts(end, log);
      } finally {
        for (const release of releases) release();
      }
    },
  };
}

function readFacts(end: ProbeEnd, log: Logger): InputFacts {
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
