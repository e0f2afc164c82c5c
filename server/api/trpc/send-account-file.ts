import { OperationError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import type { Context } from '../../base/context.ts';
import { assertPermitted, type Permission } from '../../base/permissions.ts';
import { recordAuditEvent } from '../../identity/accounts/index.ts';
import { findVisitor, type Visitor } from '../../identity/auth/index.ts';
import { assertOwnPage } from '../account/authenticate-request.ts';
import { exportAccount, ledgerCsv } from '../account/export-account.ts';
import { CLIENT_ADDRESS } from '../transport/client-address.ts';
import { problemResponse } from '../transport/problem.ts';
import { assertRate } from '../transport/rate-limit.ts';
import { parseQuery } from '../transport/read-request.ts';
import { ledgerFilter } from './inputs.ts';

/** Files that an account can download of itself. Each reads much: a few an hour are enough. */
const RATE = { counts: 'downloads of this account', perSecond: 1 / 30, burst: 10 };

interface AccountFile {
  readonly type: string;
  readonly permission: Permission;
  write(ctx: Context, visitor: Visitor, request: Request): AsyncGenerator<string>;
}

const ACCOUNT_FILES: Readonly<Record<string, AccountFile>> = {
  'ledger.csv': {
    type: 'text/csv; charset=utf-8',
    permission: 'money.see',
    write(ctx, { accountId }, request) {
      const { only, operation } = parseParams(ledgerFilter.strict(), parseQuery(request));
      return ledgerCsv(ctx, accountId, { direction: only, category: operation });
    },
  },
  'account.json': {
    type: 'application/json; charset=utf-8',
    permission: 'account.change',
    write: (ctx, { accountId, userId }) => exportAccount(ctx, accountId, userId),
  },
};

/** Responds to `GET /api/own/<file>` with a file of the account that is signed in, as it is written. */
export async function sendAccountFile(ctx: Context, request: Request, name: string): Promise<Response> {
  try {
    assertOwnPage(ctx, request);
    const visitor = await findVisitor(ctx, request.headers);
    if (!visitor) throw new OperationError('unauthorized', 'Sign in to download this.');
    const file = Object.hasOwn(ACCOUNT_FILES, name) ? ACCOUNT_FILES[name] : undefined;
    if (!file) throw new OperationError('not_found', `There is no file "${name}".`);
    const { accountId, userId, role } = visitor;
    assertPermitted(role, file.permission);
    await assertRate(ctx, userId, RATE);
    const pieces = file.write(ctx, visitor, request);
    const address = request.headers.get(CLIENT_ADDRESS);
    await recordAuditEvent(ctx.db, { accountId, userId, action: 'account.download', subject: name, address });
    return new Response(getStream(pieces), {
      headers: {
        'content-type': file.type,
        'content-disposition': `attachment; filename="darkroom-${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  } catch (thrown) {
    return problemResponse(thrown, ctx, request);
  }
}

function getStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
