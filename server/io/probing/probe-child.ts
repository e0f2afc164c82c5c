import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { getMessage } from '../../../models/core/operation/errors.ts';
import type { Isolation } from '../../base/children/isolation.ts';
import { type SpawnedChild, spawnChild } from '../../base/children/spawn-child.ts';
import { wasStuck } from '../../base/children/watch-child.ts';
import type { ProbeRequest } from '../../base/context.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import type { ProbeMessage } from './protocol.ts';

/** End of a probe: the child's own message, or what happened to it. */
export type ProbeEnd =
  | Exclude<ProbeMessage, { kind: 'ready' }>
  | { readonly kind: 'over-time' }
  | { readonly kind: 'crashed'; readonly detail: string }
  | { readonly kind: 'not-started'; readonly detail: string };

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Limit on the data of a probe, of which V8's heap may take half. Probes read headers, a few MB at most. */
const MEMORY_BYTES_MAX = 800_000_000;
/** A process that has not started by then will not. */
const START_MS = 60_000;
/** Whole environment of a child: a file that takes it over finds no password. */
const ENVIRONMENT = ['PATH', 'TMPDIR', 'LANG', 'NODE_ENV', 'LD_LIBRARY_PATH'];

/** Child process that probes one file after the other. It keeps no process running that has nothing else to do. */
export class ProbeChild {
  readonly #child: SpawnedChild;
  readonly #started: Promise<boolean>;
  #hasEnded = false;

  constructor(
    operationsModule: string,
    { niceness, isolation }: { readonly niceness: number; readonly isolation?: Isolation | undefined },
  ) {
    this.#child = spawnChild({
      operationsModule,
      childModule: CHILD,
      memoryBytesMax: MEMORY_BYTES_MAX,
      environment: ENVIRONMENT,
      niceness,
      isolation,
    });
    const { process: child, ready, exited } = this.#child;
    void exited.then(() => {
      this.#hasEnded = true;
    });
    const late = once(createTimeoutSignal(START_MS), 'abort').then(() => false);
    this.#started = Promise.race([ready, late]);
    child.unref();
    child.channel?.unref();
    for (const pipe of [child.stdin, child.stderr]) (pipe as { unref?(): void } | null)?.unref?.();
  }

  /** Whether the process has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  kill(): void {
    this.#child.process.kill('SIGKILL');
  }

  /**
   * Probes one file; one at a time. Never rejects. A child that has not sent the end itself is killed.
   * @param timeoutMs limit from the start of the probe
   * @param signal ends the probe as a limit does
   */
  async probe(request: ProbeRequest, timeoutMs: number, signal: AbortSignal): Promise<ProbeEnd> {
    if (!(await this.#started)) {
      this.kill();
      return { kind: 'not-started', detail: this.#child.stderr() };
    }
    const { folder } = this.#child;
    if (!folder) return await this.#ask(request, timeoutMs, signal);
    try {
      return await this.#ask(
        { ...request, path: await folder.lend(request.path, 'input') },
        timeoutMs,
        signal,
      );
    } catch (thrown) {
      this.kill();
      return { kind: 'broken', detail: getMessage(thrown) };
    } finally {
      await folder.drop('input').catch(() => {});
    }
  }

  async #ask(request: ProbeRequest, timeoutMs: number, signal: AbortSignal): Promise<ProbeEnd> {
    const ends = new AbortController();
    const responded = once(this.#child.process, 'message', { signal: ends.signal });
    const over = new Promise<ProbeEnd>((resolve) => {
      const end = () => resolve({ kind: 'over-time' });
      const timer = setTimeout(end, timeoutMs);
      signal.addEventListener('abort', end, { signal: ends.signal });
      ends.signal.addEventListener('abort', () => clearTimeout(timer));
      if (signal.aborted) end();
    });
    this.#child.process.send(request, (error) => error && this.kill());
    const crashed = this.#child.exited.then(
      (): ProbeEnd =>
        wasStuck(this.#child.stderr())
          ? { kind: 'over-time' }
          : { kind: 'crashed', detail: this.#child.stderr() },
    );
    const end = await Promise.race([
      responded.then(
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
