import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { OperationId } from '../../../models/registry.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import type { ApiResponse, TestApi } from './api.ts';

type Body = Record<string, unknown>;
type Headers = Record<string, string>;

export const CLAIMS = '/api/v2/worker/claims';
/** Report of a run with a result. */
export const DONE = { outcome: 'completed', position: 0, engine: 'codec', processing_ms: 12 };

export const getDigest = (bytes: Uint8Array) =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** Returns the header that HTTP clients add: without money, only a body of a short declared length is read. */
export const getLength = (body: object) => ({
  'content-length': String(Buffer.byteLength(JSON.stringify(body))),
});

/** Calls of a machine of the test's own account. */
export interface OwnWorker {
  readonly key: Headers;
  /** Leaves a conversion to the account's own machines. @returns its request_id */
  submit(more?: Body): Promise<string>;
  claim(body?: Body, headers?: Headers): Promise<ApiResponse>;
  /** Posts to a path of a claim. */
  post(claimId: string, path: string, body: unknown, headers?: Headers): Promise<ApiResponse>;
  /** Sends a file of a result. @param place its query without the position of the run */
  send(
    claimId: string,
    bytes: Uint8Array<ArrayBuffer>,
    headers?: Headers,
    place?: string,
  ): Promise<ApiResponse>;
  /** Gives a claim back, so that another machine may take its job. */
  giveBack(claimId: string, headers?: Headers): Promise<ApiResponse>;
  /** Issues a worker's key of the account for one operation. @returns its header */
  limitedTo(operation: OperationId): Promise<Headers>;
  /** Lets a job look as if it had been accepted some hours ago. */
  makeOlder(id: string, hours: number): Promise<void>;
  /** Lets the lease of a job run out, as after the death of its worker. */
  endLease(id: string): Promise<void>;
  /** Cancels all unfinished jobs. */
  cancelAll(): Promise<void>;
}

/** Creates the calls of a machine, over the API in this process. */
export function createOwnWorker(api: TestApi): OwnWorker {
  const key = { authorization: `Bearer ${api.apiKey}` };
  return {
    key,
    async submit(more = {}) {
      const image_url = `${api.files.url}/subject.png`;
      const request = { image_url, to_format: 'webp', run_on: 'own', ...more };
      const { status, body } = await api.convert(request, getLength(request));
      if (status !== 202) throw new Error(body.message);
      return body.request_id;
    },
    claim: (body = {}, headers = key) =>
      api.call('POST', CLAIMS, { body: { wait_seconds: 0, ...body }, headers }),
    post: (claimId, path, body, headers = key) =>
      api.call('POST', `${CLAIMS}/${claimId}/${path}`, { body, headers }),
    send: (claimId, bytes, headers = {}, place = 'file=0&name=output.webp') =>
      api.call('POST', `${CLAIMS}/${claimId}/files?position=0&${place}`, {
        body: bytes,
        headers: { ...key, 'content-type': 'image/webp', 'content-digest': getDigest(bytes), ...headers },
      }),
    giveBack: (claimId, headers = key) => api.call('DELETE', `${CLAIMS}/${claimId}`, { headers }),
    async limitedTo(operation) {
      const { accountId } = api;
      const limits = { accountId, name: 'limited', operations: [operation], permissions: ['worker'] };
      const { apiKey } = await issueKey(api.ctx.db, limits);
      return { authorization: `Bearer ${apiKey}` };
    },
    async makeOlder(id, hours) {
      await api.ctx.db.execute(
        sql`update jobs set created_at = now() - ${hours}::float8 * interval '1 hour' where id = ${id}`,
      );
    },
    async endLease(id) {
      await api.ctx.db.execute(
        sql`update queue_entries set leased_until = now() - interval '1 second' where id = ${id}`,
      );
    },
    async cancelAll() {
      const { body } = await api.call('GET', '/api/v2/requests?status=QUEUED,PROCESSING', { headers: key });
      for (const { request_id } of body.requests) {
        await api.call('DELETE', `/api/v2/requests/${request_id}`, { headers: key });
      }
    },
  };
}
