import { buildOnce } from '../../../models/core/build-once.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Env } from '../../base/env.ts';
import { type Allowance, KeyedLimit } from './keyed-limit.ts';

/** Quotes of an account. A quote costs a fetch and a look at the file, and nothing is charged for it. */
export const QUOTES_PER_MINUTE = 12;

/** Longest wait of a request that prefers to wait for the end of a job. Proxies cut what is silent for a minute. */
export const WAIT_SECONDS_MAX = 60;

/** Streams of events that an account may read at the same time. */
export const ACCOUNT_STREAMS_MAX = 16;

/** After this a client connects to a stream of events again, with a key that must still be valid. */
export const STREAM_MINUTES_MAX = 15;

/** Bytes of a body that count for nothing: however full this process is, small requests are accepted. */
const FREE_BODY_BYTES = 64_000;

/** Room for one body. */
export interface BodyAllowance {
  /** Counts received bytes. @throws OperationError `too_many_requests` or `unavailable` without room for them */
  receive(bytes: number): void;
  release(): void;
}

/** Room for a request. */
export interface RequestAllowance {
  readonly body: BodyAllowance;
  /** Room of the account for the files that the request fetches. */
  readonly fetched: Pick<Allowance, 'grow'>;
  release(): void;
}

/** Bounds on what requests occupy of this process' memory. They hold for one process: its memory is its own. */
export class ProcessLimits {
  readonly requests: KeyedLimit;
  /** Requests that wait for the end of a job because they would like to: half of those that an account may have. */
  readonly waits: KeyedLimit;
  /** Bytes of files that were fetched or came from self-hosted workers, until a job has them or they are deleted. */
  readonly fetched: KeyedLimit;
  /** Streams of events, until their client leaves. */
  readonly streams = new KeyedLimit(
    ACCOUNT_STREAMS_MAX,
    `Too many streams of events: an account may read at most ${ACCOUNT_STREAMS_MAX} at the same time. Close some of them, or poll.`,
  );
  readonly #bodies: KeyedLimit;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(env: Env) {
    const { ACCOUNT_REQUESTS_MAX: requests, ACCOUNT_RECEIVING_MB: megabytes, RECEIVING_MB } = env;
    this.fetched = new KeyedLimit(
      env.ACCOUNT_FETCHED_MB * 1_000_000,
      `Too many bytes on their way: the files that an account's requests fetch or its machines send may have ${env.ACCOUNT_FETCHED_MB} MB together until their jobs have them. Send fewer requests at once.`,
    );
    this.requests = new KeyedLimit(
      requests,
      `Too many requests in progress: at most ${requests} concurrent requests per account. Wait for some of them to end.`,
    );
    this.waits = new KeyedLimit(
      Math.floor(requests / 2),
      'Too many requests of this account wait for the end of a job.',
    );
    this.#bodies = new KeyedLimit(
      megabytes * 1_000_000,
      `Too many bytes on their way: the bodies of an account's requests may have ${megabytes} MB together at the same time. Send fewer at once, or give URLs.`,
    );
    this.#bytesMax = RECEIVING_MB * 1_000_000;
  }

  /**
   * Takes room for a request that has files, until a job has them: for its body, and for what it fetches.
   * @param bytesMax of the body, however long it is declared
   * @throws OperationError `too_many_requests` when the account has no room for it
   */
  acquireRequest(
    accountId: string,
    { headers }: Pick<Request, 'headers'>,
    bytesMax: number,
  ): RequestAllowance {
    const declaredBytes = Number(headers.get('content-length') ?? 0);
    const body = this.acquireBody(accountId, Math.min(declaredBytes, bytesMax));
    const fetched = this.fetched.acquire(accountId, 0);
    return {
      body,
      fetched,
      release() {
        body.release();
        fetched.release();
      },
    };
  }

  /**
   * Takes room for a body, until its files are stored.
   * @param declaredBytes 0 without a declaration
   * @throws OperationError `too_many_requests` when the account has no room for it
   */
  acquireBody(accountId: string, declaredBytes: number): BodyAllowance {
    const room = this.#bodies.acquire(accountId, declaredBytes);
    let received = 0;
    let counted = 0;
    return {
      receive: (bytes) => {
        const undeclared = Math.max(0, received + bytes - Math.max(received, declaredBytes));
        if (undeclared > 0) room.grow(undeclared);
        received += bytes;
        const more = Math.max(0, received - FREE_BODY_BYTES) - counted;
        if (this.#bytes + more > this.#bytesMax) {
          throw new OperationError('unavailable', 'The service receives too many bytes now. Try again soon.');
        }
        this.#bytes += more;
        counted += more;
      },
      release: () => {
        room.release();
        this.#bytes -= counted;
        counted = 0;
      },
    };
  }
}

/** Returns the bounds of this process. */
export const getProcessLimits = buildOnce((env: Env) => new ProcessLimits(env));
