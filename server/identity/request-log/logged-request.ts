/** Request to the API, as its account may look at it later. Its texts can be stored, and hold no secret. */
export interface LoggedRequest {
  /** The account's sandbox for a test key. */
  readonly accountId: string;
  /** null for a session. */
  readonly keyId: string | null;
  /** When the request came. */
  readonly createdAt: Date;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** `X-Request-Id` of the response. */
  readonly requestId: string;
  readonly jobId: string | null;
  /** `model_id` of the operation that was asked for. */
  readonly operationId: string | null;
  /** Until the response began. */
  readonly durationMs: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly idempotencyKey: string | null;
  readonly body: object | null;
  /** Body of a response without success. */
  readonly problem: object | null;
}
