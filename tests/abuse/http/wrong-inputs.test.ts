// @module-tag long

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchPath } from '../../../models/core/operation/batch.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { AUTH_INPUTS } from '../../../server/api/account/auth-inputs.ts';
import { handleAuth } from '../../../server/api/account/auth-routes.ts';
import { handleApi } from '../../../server/api/api.ts';
import { CLAIMS_PATH } from '../../../server/api/claim-routes.ts';
import { requestQuerySchema } from '../../../server/api/request-query.ts';
import { claimRequestSchema } from '../../../server/api/routes/claim-job.ts';
import { inputQuerySchema } from '../../../server/api/routes/get-claim-file.ts';
import { listRoutes } from '../../../server/api/routes/list-routes.ts';
import { progressSchema } from '../../../server/api/routes/report-progress.ts';
import { outputQuerySchema } from '../../../server/api/routes/send-claim-file.ts';
import { handleCalls } from '../../../server/api/trpc/handle-calls.ts';
import { appRouter } from '../../../server/api/trpc/router.ts';
import { sendAccountFile } from '../../../server/api/trpc/send-account-file.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { createOwnWorker, type OwnWorker } from '../../support/service/own-worker.ts';
import { openSignedInBrowser, PASSWORD, type TestBrowser } from '../../support/service/sign-in.ts';

const TEXTS = [
  ...['\0', 'a\0b', '\ud800', '', 'x'.repeat(10_000), '-1', '1e400', '0000-01-01', '9999-12-31'],
  ...[
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    Buffer.from('["\\u0000"]').toString('base64url'),
  ],
];
const VALUES = [...TEXTS, null, true, 7, -1, 1.5, 1e308, [], ['\0'], [[[]]], {}, { '\0': 1 }, { a: '\0' }];

/** Valid values of fields, so that the others are reached. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  id: randomUUID(),
  keyId: randomUUID(),
  deliveryId: randomUUID(),
  idempotencyKey: randomUUID(),
  name: 'Ada',
  email: 'ada@example.com',
  newEmail: 'eve@example.com',
  password: PASSWORD,
  currentPassword: PASSWORD,
  newPassword: PASSWORD,
  token: 'x',
  amountUsd: '5',
  priceUsd: '1.00',
  url: 'http://127.0.0.1:9/',
  from: '2026-01-01',
  to: '2026-01-02',
  userId: randomUUID(),
  accountId: randomUUID(),
  role: 'developer',
  outcome: 'failed',
  position: 0,
  code: 'unprocessable',
  message: 'It is broken.',
  engine: 'codec',
  processing_ms: 1,
  wait_seconds: 0,
  worker: 'studio',
  file: 0,
  response: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x' } },
};

let api: TestApi;
let browser: TestBrowser;
beforeAll(async () => {
  const limits = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000', FAILURES_PER_HOUR: '100000' };
  api = await startApi({ ...limits, MODELS_OFFLINE: '1' });
  browser = await openSignedInBrowser(api, { accountId: api.accountId, email: 'owner@example.com' });
});
afterAll(() => api.close());

/** Lists bodies in which one field after the other has a wrong value, and whole bodies that are wrong. */
function* listBodies(fields: readonly string[], more: object = {}): Generator<unknown> {
  const samples: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(fields.flatMap((field) => (field in SAMPLES ? [[field, SAMPLES[field]]] : []))),
    ...more,
  };
  yield* VALUES;
  for (const field of [...fields, 'image', 'toString'])
    for (const value of VALUES) yield { ...samples, [field]: value };
}

let lastAddress = 0;
/** Headers of a page of ours, on its own network. */
const headersOfPage = () =>
  browser.headers({ 'x-client-address': `10.1.${++lastAddress >> 8}.${lastAddress & 255}` });

/** Expects no fault of ours for requests that may be wrong in any way. */
async function expectRefusals(cases: Iterable<{ body: unknown; send: () => Promise<Response> }>) {
  const faults: unknown[] = [];
  for (const { body, send } of cases) {
    const response = await send();
    if (response.status === 500) faults.push(JSON.stringify(body)?.slice(0, 200));
    await response.body?.cancel();
  }
  expect(faults).toEqual([]);
}

describe.each([...AUTH_INPUTS].map(([call, schema]) => ({ call, fields: Object.keys(schema.shape) })))(
  'wrong inputs of $call',
  ({ call, fields }) => {
    const [method = '', path = ''] = call.split(' ');
    const url = () => new URL(`${api.ctx.env.PUBLIC_URL}/api/auth${path}`);
    // Whatever follows in an ended session gets a 401.
    const bodies = call === 'POST /sign-out' ? VALUES.slice(0, -3) : [...listBodies(fields)];

    test('are never our fault', async () => {
      await expectRefusals(
        bodies.map((body) => ({
          body,
          send() {
            const target = url();
            if (method === 'GET') target.search = getQuery(body);
            const content = method === 'GET' ? {} : { body: JSON.stringify(body) };
            return handleAuth(api.ctx, new Request(target, { method, headers: headersOfPage(), ...content }));
          },
        })),
      );
    });
  },
);

function getQuery(body: unknown): string {
  const fields = typeof body === 'object' && body !== null ? body : { token: body };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) query.append(name, String(value));
  return String(query);
}

interface Procedure {
  readonly _def: { readonly type: string; readonly inputs: readonly { readonly shape?: object }[] };
}
const PROCEDURES = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>).filter(
  ([, { _def }]) => _def.type !== 'subscription',
);

test.each(PROCEDURES)('wrong inputs of %s are never our fault', async (name, { _def: { type, inputs } }) => {
  const url = `${api.ctx.env.PUBLIC_URL}/api/trpc/${name}`;
  const fields = inputs.flatMap(({ shape = {} }) => Object.keys(shape));
  await expectRefusals(
    [...listBodies(fields)].map((body) => ({
      body,
      send() {
        const input = JSON.stringify(body);
        const query = `?${new URLSearchParams({ input })}`;
        const request =
          type === 'query'
            ? new Request(url + query, { headers: headersOfPage() })
            : new Request(url, { method: 'POST', headers: headersOfPage(), body: input });
        return handleCalls(api.ctx, request);
      },
    })),
  );
});

const OPERATION_FIELDS = new Map<string, readonly string[]>(
  Object.values(OPERATIONS).flatMap((operation): [string, readonly string[]][] => {
    const fields = [...Object.keys(operation.inputs), ...Object.keys(operation.params.shape)];
    const batch: [string, readonly string[]] = [batchPath(operation), ['items', ...fields]];
    return operation.batch ? [[operation.path, fields], batch] : [[operation.path, fields]];
  }),
);

const ROUTE_FIELDS = new Map<string, readonly string[]>([
  [CLAIMS_PATH, Object.keys(claimRequestSchema.shape)],
]);

test.each(
  listRoutes(OPERATIONS).map((route) => ({
    ...route,
    label: `${route.method} ${route.path}`,
  })),
)('wrong inputs of $label are never our fault', async ({ method, path }) => {
  const fields = OPERATION_FIELDS.get(path) ?? ROUTE_FIELDS.get(path) ?? ['model_id', 'request', 'url'];
  const hasBody = method === 'POST' || method === 'PATCH';
  const bodies = hasBody ? [...listBodies(fields)] : [...listBodies(Object.keys(requestQuerySchema.shape))];
  const segments = path.includes('{') ? TEXTS.map((text) => encodeURIComponent(text.toWellFormed())) : [''];
  await expectRefusals(
    segments.flatMap((segment) =>
      (segment === segments[0] ? bodies : bodies.slice(0, 1)).map((body) => ({
        body: [segment, body],
        send() {
          const target = new URL(`${api.ctx.env.PUBLIC_URL}/api${path.replace(/\{.*\}/, segment)}`);
          if (!hasBody) target.search = getQuery(body);
          const headers = new Headers({
            authorization: `Bearer ${api.apiKey}`,
            'ocp-apim-subscription-key': api.apiKey,
            'content-type': 'application/json',
          });
          const content = hasBody ? { body: JSON.stringify(body) } : {};
          return handleApi(api.ctx, new Request(target, { method, headers, ...content }));
        },
      })),
    ),
  );
});

const SUCCESS_FIELDS = ['outcome', 'position', 'engine', 'warnings', 'weights', 'details', 'processing_ms'];

describe('wrong inputs of a machine that has a job are never our fault', () => {
  let worker: OwnWorker;
  let claimId = '';
  beforeAll(() => {
    worker = createOwnWorker(api);
  });
  // A value that is right by chance may end the job.
  const claimed = async () => {
    const known = await worker.post(claimId, 'progress', { progress: 0 });
    if (known.status === 200) return claimId;
    await worker.cancelAll();
    await worker.submit();
    claimId = (await worker.claim()).body.claim_id;
    return claimId;
  };
  const send = async (method: string, path: string, body: unknown, query: string) => {
    const url = new URL(`${api.ctx.env.PUBLIC_URL}/api/v2/worker/claims/${await claimed()}/${path}?${query}`);
    const content = method === 'POST' ? { body: JSON.stringify(body) } : {};
    const headers = { ...worker.key, 'content-type': 'application/json', 'content-digest': 'sha-256=:x:' };
    return await handleApi(api.ctx, new Request(url, { method, headers, ...content }));
  };

  test.each([
    ['POST', 'progress', Object.keys(progressSchema.shape), {}],
    ['POST', 'report', SUCCESS_FIELDS, { outcome: 'completed' }],
    ['POST', 'report', ['outcome', 'position', 'code', 'message', 'field'], { outcome: 'retry' }],
    ['GET', 'files', Object.keys(inputQuerySchema.shape), { role: 'input' }],
    ['POST', 'files', Object.keys(outputQuerySchema.shape), { name: 'output.webp' }],
  ])('in %s %s: %j', async (method, path, fields, samples) => {
    const isQuery = path === 'files';
    await expectRefusals(
      [...listBodies(fields, samples)].map((body) => ({
        body,
        send: () => send(method, path, isQuery ? {} : body, isQuery ? getQuery(body) : ''),
      })),
    );
  });
});

test.each(['ledger.csv', 'account.json', 'a%00'])(
  'wrong queries of the file %s are never our fault',
  async (file) => {
    await expectRefusals(
      [...listBodies(['only', 'operation'])].slice(0, 30).map((body) => ({
        body,
        send() {
          const url = `${api.ctx.env.PUBLIC_URL}/api/own/${file}?${getQuery(body)}`;
          return sendAccountFile(
            api.ctx,
            new Request(url, { headers: headersOfPage() }),
            decodeURIComponent(file),
          );
        },
      })),
    );
  },
);
