import {
  AuthenticationError,
  ConnectionError,
  InsufficientBalanceError,
  PermissionError,
  ServiceError,
  TooManyRequestsError,
} from '../errors.ts';

/** Exit codes of the command. docs/cli.md describes them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  key: 3,
  balance: 4,
  service: 5,
  interrupted: 130,
} as const;

/** Meaning of each exit code, for the help. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'Every file is done.',
  failed: 'A file failed: the operation cannot process it, or its result cannot be saved.',
  usage: 'A wrong option, an unknown command or a missing file. Nothing has run.',
  key: 'The key is missing or refused.',
  balance: 'The wallet, or a limit of spending, does not cover the price.',
  service: 'The service cannot be reached, has a fault or refuses more requests.',
  interrupted: 'Interrupted.',
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Mistake in how the command was called. Its message names the flag or file. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** No key is set, or the file with the key is not safe. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/** Returns the exit code for what a run threw. */
export function getExitCode(thrown: unknown): ExitCode {
  if (thrown instanceof UsageError) return EXIT.usage;
  const isKey = [KeyError, AuthenticationError, PermissionError].some((kind) => thrown instanceof kind);
  if (isKey) return EXIT.key;
  if (thrown instanceof InsufficientBalanceError) return EXIT.balance;
  const isService = [ConnectionError, ServiceError, TooManyRequestsError].some(
    (kind) => thrown instanceof kind,
  );
  return isService ? EXIT.service : EXIT.failed;
}

/** Reports whether every further file would meet the same fault. */
export function isFatal(code: ExitCode): boolean {
  return code === EXIT.key || code === EXIT.balance || code === EXIT.service;
}
