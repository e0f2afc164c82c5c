import pino from 'pino';
import { describeError } from './describe-error.ts';

export type Logger = pino.Logger;

/**
 * Creates a structured logger. It redacts keys and secrets by field name and values of SQL parameters from errors,
 * whoever logs them.
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
  return destination ? pino(options, destination) : pino(options);
}
