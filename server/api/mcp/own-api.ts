import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import type { Context } from '../../base/context.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import type { Api } from '../route.ts';
import { CLIENT_ADDRESS } from '../transport/client-address.ts';

/** Body of a response without success. */
export interface ApiProblem {
  readonly message: string;
  readonly code?: string;
  readonly field?: string;
}

/** Refusal of a request by the API. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Call of the API. */
interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON, apart from bytes. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** The API as one client sees it: with the client's key, and all checks and limits of a request from outside. */
export interface OwnApi {
  /** Aborts once the agent has canceled its call, or has left. */
  readonly signal: AbortSignal;
  /** Returns the JSON of a response. @throws ApiRefusal */
  json<Body>(path: string, call?: Call): Promise<Body>;
  /**
   * Waits for the end of a job.
   * @param onState receives each state, the last one too
   * @returns the job, which has not ended when the time is over or the process stops
   * @throws ApiRefusal
   */
  waitForJob(requestId: string, onState: (job: JobView) => void): Promise<JobView>;
}

interface Caller {
  readonly ctx: Context;
  readonly handleApi: Api['handle'];
  readonly apiKey: string;
  /** Request of the agent: its address counts, and its end is that of all others. */
  readonly request: Pick<Request, 'headers'>;
  readonly signal: AbortSignal;
}

/** Longest wait for a job. It stays, and can be asked for later. */
const WAIT_MS_MAX = 600_000;

export function openOwnApi({ ctx, handleApi, apiKey, request, signal }: Caller): OwnApi {
  const common = {
    authorization: `Bearer ${apiKey}`,
    'ocp-apim-subscription-key': apiKey,
    [CLIENT_ADDRESS]: request.headers.get(CLIENT_ADDRESS) ?? '',
  };
  const send = async (path: string, { body, headers, ...call }: Call) => {
    const isBytes = body instanceof Uint8Array;
    const request = new Request(`http://localhost/api${path}`, {
      ...call,
      ...(body && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
      headers: { ...common, ...(body && !isBytes && { 'content-type': 'application/json' }), ...headers },
    });
    const response = await handleApi(ctx, request);
    if (response.ok) return response;
    throw new ApiRefusal((await response.json()) as ApiProblem);
  };
  return {
    signal,
    json: async <Body>(path: string, call: Call = {}) => (await (await send(path, call)).json()) as Body,
    async waitForJob(requestId, onState) {
      const path = `/v2/requests/status/${encodeURIComponent(requestId)}/events`;
      const { body } = await send(path, { signal: createTimeoutSignal(WAIT_MS_MAX, signal) });
      let job: JobView | undefined;
      try {
        for await (const { data } of body ? readEvents(body) : []) {
          const state: JobView = JSON.parse(data);
          job = state;
          onState(state);
        }
      } catch (thrown) {
        // The time is over, but the job goes on.
        if (!job || signal.aborted) throw thrown;
      }
      if (job) return job;
      throw new Error(`the events of ${requestId} have ended without a state`);
    },
  };
}

function readEvents(body: ReadableStream<Uint8Array>) {
  // The types of the decoder's input name more than the bytes that a body has.
  const decoder: { readable: ReadableStream<string>; writable: WritableStream } = new TextDecoderStream();
  return body.pipeThrough(decoder).pipeThrough(new EventSourceParserStream());
}
