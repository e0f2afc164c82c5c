import { DrizzleQueryError } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { findOutage, OutageError } from '../../../server/base/outage.ts';

const system = (code: string, syscall = 'open') => Object.assign(new Error(code), { code, syscall });
const query = (cause: Error) => new DrizzleQueryError('select 1', [], cause);
const databaseError = (code: string) =>
  Object.assign(new Error(code), { name: postgres.PostgresError.name, code, severity: 'FATAL' });

test.each<[string, unknown, string]>([
  ['a full disk', system('ENOSPC'), 'disk'],
  ['a read-only disk below another error', new Error('x', { cause: system('EROFS') }), 'disk'],
  ['no more file handles', system('EMFILE'), 'memory'],
  ['a refused process', system('EAGAIN', 'spawn sh'), 'memory'],
  ['a refused connection of the database', query(system('ECONNREFUSED', 'connect')), 'database'],
  ['a lost connection', query(system('CONNECTION_CLOSED')), 'database'],
  ['a lost connection between statements', system('CONNECTION_CLOSED'), 'database'],
  ['a database that starts', query(databaseError('57P03')), 'database'],
  ['a full database', query(databaseError('53300')), 'database'],
  ['a statement out of time', query(databaseError('57014')), 'database'],
  ['a standby', query(databaseError('25006')), 'database'],
  ['a store', new OutageError('store'), 'store'],
])('%s is an outage', (_, error, dependency) => {
  expect(findOutage(error)).toMatchObject({ code: 'unavailable', dependency, retryAfterSeconds: 5 });
});

test.each<[string, unknown]>([
  ['a refused connection to a user’s server', system('ECONNREFUSED', 'connect')],
  ['a violated constraint', query(databaseError('23505'))],
  [
    'a fault of the request, whatever caused it',
    new OperationError('unfetchable', 'x', { cause: system('ENOSPC') }),
  ],
  ['a bug', new TypeError('x')],
  ['text', 'ENOSPC'],
])('%s is none', (_, error) => {
  expect(findOutage(error)).toBeUndefined();
});
