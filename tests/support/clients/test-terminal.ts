import type { Terminal } from '../../../clients/typescript/src/cli/terminal.ts';

export interface TestTerminal extends Terminal {
  /** Everything printed as a result. */
  readonly printed: () => string;
  /** Bytes of the files written to standard output. */
  readonly written: () => Buffer;
  /** Everything printed as a message or progress. */
  readonly messages: () => string;
  /** Interrupts the command, as Ctrl-C does. */
  interrupt(): void;
}

/** Creates surroundings of the command that record what it prints. */
export function createTestTerminal(
  given: Partial<Pick<Terminal, 'env' | 'cwd' | 'isWatched'>> & {
    readonly secret?: string;
    readonly input?: Uint8Array;
  } = {},
): TestTerminal {
  const stop = new AbortController();
  const texts = { out: '', err: '' };
  const chunks: Uint8Array[] = [];
  return {
    env: given.env ?? {},
    cwd: given.cwd ?? process.cwd(),
    signal: stop.signal,
    isWatched: given.isWatched ?? false,
    async *input() {
      yield given.input ?? new Uint8Array();
    },
    async writeFile(bytes) {
      for await (const chunk of bytes) chunks.push(chunk);
    },
    out(text) {
      texts.out += text;
    },
    err(text) {
      texts.err += text;
    },
    askSecret: async () => given.secret ?? '',
    printed: () => texts.out,
    written: () => Buffer.concat(chunks),
    messages: () => texts.err,
    interrupt: () => stop.abort(new Error('interrupted')),
  };
}
