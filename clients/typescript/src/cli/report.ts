import { relative } from 'node:path';
import { ApiError, ConnectionError, JobFailedError } from '../errors.ts';
import type { Quote } from '../types.ts';
import { EXIT, type ExitCode, getExitCode } from './exit-codes.ts';
import { STANDARD } from './files.ts';
import type { Outcome } from './target.ts';
import type { ProgressLine, Terminal } from './terminal.ts';

/** Failure of a file: a code for programs, and sentences for people. */
export interface Failure {
  readonly code: string | null;
  readonly message: string;
  readonly advice: string | null;
  readonly requestId: string | null;
}

/** Prints what becomes of each file. */
export interface Report {
  completed(input: string, outcome: Outcome, paths: readonly string[]): void;
  quoted(input: string, quote: Quote): void;
  failed(input: string, failure: Failure): void;
  /** Prints the total. */
  end(): void;
}

/** Prints lines for people, or with `json` a line of JSON for each file. */
export function createReport(
  terminal: Terminal,
  progress: ProgressLine,
  { json, inputs }: { readonly json: boolean; readonly inputs: readonly string[] },
): Report {
  const print = (text: string, to: 'out' | 'err' = 'out') => {
    progress.clear();
    terminal[to](`${text}\n`);
  };
  const shown = (path: string) => (path === STANDARD ? path : relative(terminal.cwd, path) || path);
  const prices: string[] = [];
  return {
    completed(input, { files, requestId, engine, warnings, chargedUsd, result }, paths) {
      const saved = paths.map(shown);
      if (json) {
        const ids = { request_id: requestId, engine, charged_usd: chargedUsd };
        return print(JSON.stringify({ input, status: 'completed', files: saved, ...ids, warnings, result }));
      }
      const price = chargedUsd === null ? '' : `  ${chargedUsd} USD`;
      print(`${input} → ${files.length > 0 ? saved.join(', ') : JSON.stringify(result)}${price}`);
      for (const warning of warnings) print(`${input}: ${warning}`, 'err');
    },
    quoted(input, quote) {
      prices.push(quote.price_usd);
      if (json) return print(JSON.stringify({ input, status: 'quoted', ...quote }));
      const seconds = quote.expected_seconds === null ? '' : `  about ${Math.ceil(quote.expected_seconds)} s`;
      print(`${input}  ${quote.price_usd} USD${seconds}${quote.engine === null ? '' : `  ${quote.engine}`}`);
    },
    failed(input, { code, message, advice, requestId }) {
      if (json) {
        const error = { code, message, advice };
        return print(JSON.stringify({ input, status: 'failed', request_id: requestId, error }));
      }
      print([`${input}: ${message}`, advice].filter(Boolean).join(' '), 'err');
    },
    end() {
      if (!json && inputs.length > 1 && prices.length > 0) print(`Together  ${sumUsd(prices)} USD`);
    },
  };
}

/**
 * Describes what a run threw.
 * @param word replaces the API's names in a message
 */
export function describeFailure(
  thrown: unknown,
  word: (message: string) => string = (message) => message,
): Failure {
  const message = word(thrown instanceof Error ? thrown.message : String(thrown));
  const known = { code: null, message, advice: null, requestId: null };
  if (thrown instanceof ApiError) return { ...known, code: thrown.code, advice: thrown.advice };
  if (thrown instanceof ConnectionError) return { ...known, advice: thrown.advice };
  if (!(thrown instanceof JobFailedError)) return known;
  const { status, request_id } = thrown.job;
  return { ...known, code: status, advice: thrown.advice, requestId: request_id };
}

/** Runs a command, and tells what it threw. Never rejects. @returns the exit code */
export async function reportFailure(
  terminal: Pick<Terminal, 'err' | 'signal'>,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await run();
  } catch (thrown) {
    if (terminal.signal.aborted) return EXIT.interrupted;
    const { message, advice } = describeFailure(thrown);
    terminal.err(`${[message, advice].filter(Boolean).join(' ')}\n`);
    return getExitCode(thrown);
  }
}

/** Adds decimal amounts of at most six decimals, without rounding. */
export function sumUsd(amounts: readonly string[]): string {
  const micros = amounts.map((amount) => {
    const [whole = '0', decimals = ''] = amount.split('.');
    return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0').slice(0, 6));
  });
  const sum = micros.reduce((total, each) => total + each, 0n);
  const decimals = String(sum % 1_000_000n).padStart(6, '0');
  return `${sum / 1_000_000n}.${decimals.replace(/0{1,4}$/, '')}`;
}
