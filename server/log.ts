import pino from 'pino';

export type Logger = pino.Logger;

/** Structured logs on standard output. What could carry a key or secret is cut out by name, whoever logs it. */
export function createLogger(level: string, part: string): Logger {
  return pino({
    level,
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
  });
}
