import pino from 'pino';
import { describeError } from './describe-error.ts';

export type Logger = pino.Logger;

/**
 * Characters that JSON may hold as they are, but that end a line or move the cursor for some readers of a log: controls
 * beyond ASCII, line separators, and marks of the writing direction.
 */
const UNSAFE_CHARACTERS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Creates a structured logger. It redacts keys and secrets by field name and values of SQL parameters from errors,
 * whatever code logs them. Each entry is one line of JSON, in which every control character is escaped.
 * @param destination standard output when absent
 */
export function createLogger(level: string, part: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    serializers: { err: (thrown: unknown) => describeError(thrown) },
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'authorization',
        'secret',
        'apiKey',
        '*.authorization',
        '*.secret',
        '*.apiKey',
        'headers',
        '*.headers',
      ],
      censor: '[redacted]',
    },
  };
  const sink = destination ?? pino.destination({ fd: 1, sync: true });
  return pino(options, { write: (line) => sink.write(escapeUnsafeCharacters(line)) });
}

function escapeUnsafeCharacters(line: string): string {
  return line.replace(
    UNSAFE_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
