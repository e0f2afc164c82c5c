import { redactSqlParams } from './describe-error.ts';
import type { Logger } from './log.ts';

/** Level of the log for each method of the console that prints. */
const CONSOLE_LEVELS = {
  error: 'error',
  warn: 'warn',
  log: 'info',
  info: 'info',
  dir: 'debug',
  debug: 'debug',
  table: 'debug',
  trace: 'debug',
} as const;

const MESSAGE_CHARACTERS_MAX = 2_000;

/**
 * Sends whatever this process would print by itself to the log: what libraries write to the console, to standard output
 * or standard error, warnings of Node, and uncaught errors, after which the process ends as it does anyway.
 * A library prints errors with all their members, and text with its newlines, which looks like further lines.
 */
export function redirectOutput(log: Logger): void {
  for (const [method, level] of Object.entries(CONSOLE_LEVELS)) {
    console[method as keyof typeof CONSOLE_LEVELS] = (...printed: unknown[]) => {
      const { message, ...details } = describePrinted(printed);
      log[level](details, message);
    };
  }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      if (text.trim() !== '') log.info({ output: name }, describePrinted([text.trimEnd()]).message);
      const done = rest.at(-1);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  }
  // Node's own listener prints.
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn({ err }, 'Node warns'));
  process.on('uncaughtException', (err) => {
    // With its own listener, Next keeps the process.
    if (process.listenerCount('uncaughtException') > 1) return;
    log.fatal({ err }, 'an uncaught error ends the process');
    process.exit(1);
  });
}

/**
 * Describes what a library prints: text and numbers as they are, an error for the log's own serializer. Other objects
 * may hold anything, such as a whole request, and are left out.
 */
export function describePrinted(printed: readonly unknown[]): {
  readonly message: string;
  readonly err?: Error;
} {
  const err = printed.find((each): each is Error => each instanceof Error);
  const texts = printed.filter((each) => typeof each !== 'object' && typeof each !== 'function').map(String);
  const message = redactSqlParams(texts.join(' ')).slice(0, MESSAGE_CHARACTERS_MAX);
  return { message: message || 'printed without words', ...(err && { err }) };
}
