import type { ErrorCode } from '../../models/errors.ts';
import type { OperationLimits } from '../../models/operation.ts';
import type { RunEnd } from './child-process.ts';
import type { Done } from './protocol.ts';

/** What the end of a run means for the job. */
export type Verdict =
  | { readonly next: 'complete'; readonly result: Done }
  /** The input's fault: another try gives the same. */
  | { readonly next: 'fail'; readonly message: string }
  /** Perhaps the input's fault: a second run in a fresh process tells. */
  | { readonly next: 'run-again'; readonly message: string }
  /** Our side: another attempt may go better. */
  | { readonly next: 'retry'; readonly reason: string }
  /** Broken off because the runner stops. */
  | { readonly next: 'hand-back' };

const INPUT_FAULTS: readonly ErrorCode[] = ['unprocessable', 'bad_request'];
/** What a process does to itself when it stumbles over bad data; SIGKILL and the like come from outside. */
const OWN_CRASHES: readonly string[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'];

export function judge(
  end: RunEnd,
  limits: Pick<OperationLimits, 'runSecondsMax' | 'memoryBytesMax'>,
): Verdict {
  switch (end.kind) {
    case 'done':
      return { next: 'complete', result: end };
    case 'failed':
      return INPUT_FAULTS.includes(end.code)
        ? { next: 'fail', message: end.message }
        : { next: 'retry', reason: end.message };
    case 'over-memory': {
      const megabytes = Math.round(limits.memoryBytesMax / 1e6);
      const message = `The file needs more than the ${megabytes} MB of memory that a run may use. Use a smaller one.`;
      return { next: 'fail', message };
    }
    case 'over-time':
      return { next: 'retry', reason: `the run took longer than ${limits.runSecondsMax} seconds` };
    case 'crashed':
      return end.signal !== null && OWN_CRASHES.includes(end.signal)
        ? { next: 'run-again', message: 'The file makes its decoder crash. It is damaged; export it anew.' }
        : { next: 'retry', reason: 'the process that did the work ended unexpectedly' };
    case 'stopped':
      return { next: 'hand-back' };
  }
}
