import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXIT } from './exit-codes.ts';
import type { Environment } from './settings.ts';

/** Surroundings of the command. */
export interface Terminal {
  readonly env: Environment;
  /** Folder in which relative paths begin. */
  readonly cwd: string;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Whether someone watches, who wants to see the progress. */
  readonly isWatched: boolean;
  /** Reads standard input. */
  input(): AsyncIterable<Uint8Array>;
  /** Writes a file to standard output. */
  writeFile(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Prints a result. */
  out(text: string): void;
  /** Prints a message or the progress. */
  err(text: string): void;
  /** Asks for a secret, without showing it. */
  askSecret(question: string): Promise<string>;
}

const CLEAR_LINE = '\r\u001b[K';

/** Line at the bottom that shows how far the files are. */
export interface ProgressLine {
  /** @param fraction of the run, 0 to 1 */
  update(name: string, fraction: number): void;
  end(name: string): void;
  /** Removes the line, so that something else can be printed. */
  clear(): void;
}

/** Shows the progress of some files where someone watches. */
export function createProgressLine({ isWatched, err }: Terminal, total: number): ProgressLine {
  const running = new Map<string, number>();
  let ended = 0;
  let isShown = false;
  const clear = () => {
    if (isShown) err(CLEAR_LINE);
    isShown = false;
  };
  const show = () => {
    const [current] = running;
    if (!isWatched || !current) return clear();
    const [name, fraction] = current;
    const count = total > 1 ? `${ended + 1} of ${total}  ` : '';
    const others = running.size > 1 ? `  and ${running.size - 1} more` : '';
    err(`${CLEAR_LINE}${count}${name.slice(-40)}  ${Math.floor(fraction * 100)} %${others}`);
    isShown = true;
  };
  return {
    update(name, fraction) {
      running.set(name, fraction);
      show();
    },
    end(name) {
      running.delete(name);
      ended += 1;
      show();
    },
    clear,
  };
}

/**
 * Connects the command to the process. The first interruption aborts its work, the second ends it at once.
 * @param cwd folder in which relative paths begin
 */
export function createNodeTerminal(cwd: string = process.cwd()): Terminal {
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    process.stderr.write('\nCanceling…\n');
    stop.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  // A reader such as `head` may leave early.
  process.stdout.on('error', () => {});
  return {
    env: process.env,
    cwd,
    signal: stop.signal,
    isWatched: process.stderr.isTTY,
    input: () => process.stdin,
    writeFile: (bytes) => pipeline(bytes, process.stdout, { end: false }),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    askSecret: (question) => askSecret(question, interrupt),
  };
}

async function askSecret(question: string, interrupt: () => void): Promise<string> {
  process.stderr.write(question);
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = process.stdin;
  const lines = createInterface({ input, output: muted, terminal: input.isTTY === true });
  lines.on('SIGINT', () => {
    interrupt();
    lines.close();
  });
  return await new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      if (input.isTTY) process.stderr.write('\n');
      resolve('');
    });
  });
}
