import postgres from 'postgres';
import { isQueryError } from './outage.ts';

/** Error as the log holds it: no member beyond these, since libraries attach whole requests to their errors. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  /** Names of the database's own objects, for one of its errors. */
  readonly database?: Readonly<Record<string, string>>;
  /** SQL with placeholders. */
  readonly query?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

const DEPTH_MAX = 5;
const QUERY_CHARACTERS_MAX = 500;

/**
 * Describes anything thrown for the log, without the values of SQL parameters: a database's message, detail and
 * context may quote what a user sent, or a secret.
 */
export function describeError(thrown: unknown, depth = 0): LoggedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: redactSqlParams(String(thrown)) };
  const { code, cause, errors }: Error & { code?: unknown; errors?: unknown } = thrown;
  const message = safeMessage(thrown);
  return {
    type: thrown.constructor.name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(thrown instanceof postgres.PostgresError && { database: databaseNames(thrown) }),
    ...(isQueryError(thrown) && { query: thrown.query.slice(0, QUERY_CHARACTERS_MAX) }),
    stack: [message, ...stackFrames(thrown)].join('\n'),
    ...(depth < DEPTH_MAX && {
      ...(cause !== undefined && { cause: describeError(cause, depth + 1) }),
      ...(Array.isArray(errors) && { errors: errors.map((each) => describeError(each, depth + 1)) }),
    }),
  };
}

/** Removes the values of SQL parameters from a text that quotes an error. */
export function redactSqlParams(text: string): string {
  return text.replace(/^([ \t]*)params: .*/ms, '$1params: [redacted]');
}

function safeMessage(error: Error): string {
  if (isQueryError(error)) return 'A query failed.';
  // Class 22, data exceptions, and an input syntax error of any class quote the value.
  if (error instanceof postgres.PostgresError && error.code.startsWith('22')) return 'The data is not valid.';
  return redactSqlParams(error.message);
}

function databaseNames(error: postgres.PostgresError): Record<string, string> {
  const { severity, table_name, column_name, constraint_name, routine } = error;
  const names = { severity, table_name, column_name, constraint_name, routine };
  const known = Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(known);
}

/** Returns the calls of a stack, without the message before them, whose lines may look like calls. */
function stackFrames({ stack = '', message }: Error): string[] {
  const calls = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  return calls.split('\n').filter((line) => /^\s+at /.test(line));
}
