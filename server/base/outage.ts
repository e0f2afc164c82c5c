import type { PostgresError } from 'postgres';
import { OperationError } from '../../models/core/operation/errors.ts';

/** Parts of the installation without which no work succeeds, whatever the request. */
export type Dependency =
  | 'database'
  | 'store'
  | 'disk'
  | 'memory'
  | 'network'
  | 'model server'
  | 'secrets key';

/** Wait after which a client may find the outage over. */
const RETRY_SECONDS = 5;

const MESSAGES: Readonly<Record<Dependency, string>> = {
  database: 'The database is not available. Try again soon.',
  store: 'The file store is not available. Try again soon.',
  disk: 'The disk of the service is not available. Try again soon.',
  memory: 'The service has no memory or processes left. Try again soon.',
  network: 'The network of the service is not available. Try again soon.',
  'model server': 'The model server is not available. Try again soon.',
  'secrets key': 'A part of the service lacks a key of its secrets. Try again soon.',
};

/** Outage of a part of the installation: no request is at fault, and no attempt at it counts. */
export class OutageError extends OperationError {
  readonly dependency: Dependency;

  constructor(dependency: Dependency, cause?: unknown) {
    super('unavailable', MESSAGES[dependency], { cause, retryAfterSeconds: RETRY_SECONDS });
    this.dependency = dependency;
  }

  /** Recognises errors of another copy of this module, as `OperationError` does. */
  static override [Symbol.hasInstance](value: unknown): value is OutageError {
    return value instanceof OperationError && 'dependency' in value;
  }
}

/** Error codes of the system and of sealed secrets, by the dependency that they speak of. Those of connections are too common to be here. */
const SYSTEM_CODES: Readonly<Record<string, Dependency>> = {
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  EROFS: 'disk',
  EIO: 'disk',
  EMFILE: 'memory',
  ENFILE: 'memory',
  ENOMEM: 'memory',
  ENOBUFS: 'memory',
  ENETDOWN: 'network',
  UNKNOWN_SECRETS_KEY: 'secrets key',
};

/** Causes of causes that are read. */
const DEPTH_MAX = 5;

/**
 * Finds the outage that an error speaks of, in the error or its causes.
 * @returns undefined for a fault of the request, or of ours
 */
export function findOutage(thrown: unknown, depth = 0): OutageError | undefined {
  if (thrown instanceof OutageError) return thrown;
  // Errors of our own say whose fault they are, whatever caused them.
  if (!(thrown instanceof Error) || thrown instanceof OperationError || depth > DEPTH_MAX) return undefined;
  const isOfDatabase = isQueryError(thrown) && isDatabaseOutage(thrown.cause);
  if (isOfDatabase || isDatabaseError(thrown)) return new OutageError('database', thrown);
  const dependency = findSystemDependency(thrown);
  return dependency ? new OutageError(dependency, thrown) : findOutage(thrown.cause, depth + 1);
}

function findSystemDependency(error: Error): Dependency | undefined {
  const { code, syscall }: NodeJS.ErrnoException = error;
  if (code === 'EAGAIN' && syscall?.startsWith('spawn')) return 'memory';
  return code === undefined ? undefined : SYSTEM_CODES[code];
}

/** Codes by which the driver reports a connection that it has lost. */
const LOST: readonly unknown[] = ['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED'];
/** Error classes of PostgreSQL: connections, resources, an operator's intervention, the system below. */
const OUTAGE_CLASSES: readonly string[] = ['08', '53', '57', '58'];
/** A standby that takes no writes, a serialization failure, a deadlock, and a lock that was not free in time. */
const OUTAGE_CODES: readonly string[] = ['25006', '40001', '40P01', '55P03'];
/** States of PostgreSQL in which it accepts no connection: starting or stopping, or full. */
const REFUSING: readonly string[] = ['57P03', '53300'];
/** States in which it ends connections. */
const ENDING: readonly string[] = ['57P01', '57P02'];
const CONNECTING: readonly unknown[] = ['connect', 'getaddrinfo'];

/** Reports whether the driver of the database was refused a connection: no statement was sent. */
export function isConnectionRefused(error: unknown): boolean {
  if (isPostgresError(error)) return REFUSING.includes(error.code);
  if (!(error instanceof Error)) return false;
  const { code, syscall }: NodeJS.ErrnoException = error;
  return code === 'CONNECT_TIMEOUT' || CONNECTING.includes(syscall);
}

/** Reports whether the driver of the database lost its connection: a statement may have been carried out. */
export function isConnectionLost(error: unknown): boolean {
  if (isPostgresError(error)) return ENDING.includes(error.code);
  return error instanceof Error && 'code' in error && [...LOST, 'ECONNRESET', 'EPIPE'].includes(error.code);
}

/** Reports whether an error of the database's driver speaks of an outage. */
export function isDatabaseOutage(error: unknown): boolean {
  return isDatabaseError(error) || isConnectionRefused(error) || isConnectionLost(error);
}

/** Reports an outage by an error that nothing but the driver throws. */
function isDatabaseError(error: unknown): boolean {
  if (isPostgresError(error)) {
    return OUTAGE_CLASSES.includes(error.code.slice(0, 2)) || OUTAGE_CODES.includes(error.code);
  }
  return error instanceof Error && 'code' in error && LOST.includes(error.code);
}

/**
 * Recognises an error of Drizzle by its members: its class would load Drizzle where there is no database, and each bundle
 * of the pages has its own.
 */
export function isQueryError(error: Error): error is Error & { readonly query: string } {
  return 'query' in error && typeof error.query === 'string' && 'params' in error;
}

/** Recognises an error of PostgreSQL by its name: its class would load the driver where there is no database. */
function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && error.name === 'PostgresError';
}
