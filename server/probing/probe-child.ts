import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnChild } from '../spawn-child.ts';
import { withinTime } from '../within-time.ts';
import type { ProbeMessage, ProbeRequest } from './protocol.ts';

/** End of a probe: the child's own message, or what happened to it. */
export type ProbeEnd =
  | Exclude<ProbeMessage, { kind: 'ready' }>
  | { readonly kind: 'over-time' }
  | { readonly kind: 'crashed'; readonly detail: string }
  | { readonly kind: 'not-started'; readonly detail: string };

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Of which V8's heap is a half. Probes read headers, a few MB at most. */
const MEMORY_BYTES_MAX = 800_000_000;
/** A process that has not started by then will not. */
const START_MS = 60_000;
/** Whole environment of a child: a file that takes it over finds no password. */
const ENVIRONMENT = ['PATH', 'TMPDIR', 'LANG', 'NODE_ENV', 'LD_LIBRARY_PATH'];
const STDERR_CHARS_MAX = 4_000;

/** Child process that probes one file after the other. It keeps no process running that has nothing else to do. */
export class ProbeChild {
  readonly #process: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #ready: Promise<boolean>;
  #stderr = '';
  #hasEnded = false;

  constructor(operationsModule: string) {
    const child = spawnChild({
      operationsModule,
      childModule: CHILD,
      memoryBytesMax: MEMORY_BYTES_MAX,
      environment: ENVIRONMENT,
    });
    this.#process = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS_MAX);
    });
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.on('error', () => resolve());
    });
    this.#exited.then(() => {
      this.#hasEnded = true;
    });
    const started = once(child, 'message', { signal: withinTime(START_MS) });
    const isStarted = started.then(
      () => true,
      () => false,
    );
    this.#ready = Promise.race([isStarted, this.#exited.then(() => false)]);
    child.unref();
    child.channel?.unref();
    for (const pipe of [child.stdin, child.stderr]) (pipe as { unref?(): void } | null)?.unref?.();
  }

  /** Whether the process has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /**
   * Probes one file; one at a time. Never rejects. A child that has not sent the end itself is killed.
   * @param timeoutMs limit from the start of the probe
   * @param signal ends the probe as a limit does
   */
  async probe(request: ProbeRequest, timeoutMs: number, signal: AbortSignal): Promise<ProbeEnd> {
    if (!(await this.#ready)) {
      this.kill();
      return { kind: 'not-started', detail: this.#stderr };
    }
    const ends = new AbortController();
    const answered = once(this.#process, 'message', { signal: ends.signal });
    const over = new Promise<ProbeEnd>((resolve) => {
      const end = () => resolve({ kind: 'over-time' });
      const timer = setTimeout(end, timeoutMs);
      signal.addEventListener('abort', end, { signal: ends.signal });
      ends.signal.addEventListener('abort', () => clearTimeout(timer));
      if (signal.aborted) end();
    });
    this.#process.send(request, (error) => error && this.kill());
    const crashed = this.#exited.then((): ProbeEnd => ({ kind: 'crashed', detail: this.#stderr }));
    const end = await Promise.race([
      answered.then(
        ([message]) => message as ProbeEnd,
        () => crashed,
      ),
      over,
      crashed,
    ]);
    ends.abort();
    if (end.kind === 'over-time') this.kill();
    return end;
  }
}
