import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import {
  type Client,
  createClient,
  type Fetch,
  JobFailedError,
} from '../../../clients/typescript/src/index.ts';

/** Longer than any response of a service that can be reached; a host behind a cut link never responds. */
const TIMEOUT_MS = 20_000;

/** Gives up on a response in time, as on a lost connection, so that the client sends the request again. */
const patientFetch: Fetch = async (request) => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, timeout]) });
    // A host may disappear between the head of a response and its body.
    const body = await response.arrayBuffer();
    const { status, headers } = response;
    return new Response(status === 204 || status === 304 ? null : body, { status, headers });
  } catch (thrown) {
    if (timeout.aborted) throw new TypeError('no response in time', { cause: thrown });
    throw thrown;
  }
};

const SIZE = { width: 320, height: 240 };

/** Steady pauses between two looks at a job: they show in its latency. */
const POLL_MS = { first: 200, max: 200 };

/** Pause of a program after its client has given up. */
const GIVE_UP_PAUSE_MS = 1_000;

let imagesSoFar = 0;

/** Record of one job, as a customer's program saw it. */
export interface Sighting {
  /** null when the service never accepted it. */
  readonly requestId: string | null;
  /** From the upload to the news of its end; null when there was none. */
  readonly latencyMs: number | null;
  /** Whether the job went to the part of the cluster that the scenario leaves alone. */
  readonly isAtHealthyPart: boolean;
  /** Calls that the client gave up, after five attempts each. */
  readonly givenUp: number;
  /** Whether the result of a completed job could be read. */
  readonly isReadable: boolean;
}

export interface LoadOptions {
  readonly apiKey: string;
  /** Origin of the balancer. */
  readonly url: string;
  /** Origin of a part that the scenario leaves alone at this moment; undefined when there is none. */
  healthyUrl(): string | undefined;
  /** Jobs each second. */
  readonly rate: number;
  /** Jobs at once, before the steady ones. */
  readonly burst: number;
  /** Ends the flow of new jobs. */
  readonly enough: AbortSignal;
  /** Ends everything: what is not known by then stays unknown. */
  readonly deadline: AbortSignal;
}

/** Sends jobs as a customer's programs do, every second one to the healthy part, until there are enough. */
export async function applyLoad(options: LoadOptions): Promise<readonly Sighting[]> {
  const { rate, burst, enough } = options;
  const timeUp = once(options.deadline, 'abort').then(() => undefined);
  const send = (origin: string, isAtHealthyPart: boolean) =>
    sendJob(options, timeUp, { origin, isAtHealthyPart });
  const sightings: Promise<Sighting>[] = [];
  for (let i = 0; i < burst; i++) sightings.push(send(options.url, false));
  const startMs = performance.now();
  for (let i = 0; !enough.aborted; i++) {
    const healthyUrl = i % 2 === 1 ? options.healthyUrl() : undefined;
    sightings.push(send(healthyUrl ?? options.url, healthyUrl !== undefined));
    const pauseMs = startMs + ((i + 1) * 1000) / rate - performance.now();
    await wait(Math.max(pauseMs, 0), undefined, { signal: enough }).catch(() => {});
  }
  return await Promise.all(sightings);
}

/** @param timeUp ends each wait: the client's own go on for as long as a service asks for */
async function sendJob(
  { apiKey, deadline }: LoadOptions,
  timeUp: Promise<undefined>,
  { origin, isAtHealthyPart }: { readonly origin: string; readonly isAtHealthyPart: boolean },
): Promise<Sighting> {
  const client = createClient({ apiKey, origin, fetch: patientFetch });
  const image = await makeImage(imagesSoFar++);
  const key = crypto.randomUUID();
  const startMs = performance.now();
  let givenUp = 0;
  const insist = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
    while (!deadline.aborted) {
      try {
        return await Promise.race([step(), timeUp]);
      } catch (thrown) {
        if (thrown instanceof JobFailedError || deadline.aborted) return undefined;
        givenUp++;
        await wait(GIVE_UP_PAUSE_MS, undefined, { signal: deadline }).catch(() => {});
      }
    }
    return undefined;
  };
  // The same upload in each attempt, as the same key asks for the same request.
  const upload = await insist(() => client.upload(image));
  const requestId = upload && (await insist(() => submit(client, upload, key)));
  const job = requestId && (await insist(() => client.wait(requestId, { pollMs: POLL_MS })));
  const latencyMs = job ? performance.now() - startMs : null;
  const url = job ? job.output?.media_url?.[0] : undefined;
  const isReadable = url !== undefined && (await insist(() => isImage(client, url))) === true;
  return { requestId: requestId ?? null, latencyMs, isAtHealthyPart, givenUp, isReadable };
}

async function submit(client: Client, input: string, idempotencyKey: string): Promise<string> {
  return await client.submit('media-convert-image', input, { to_format: 'webp' }, { idempotencyKey });
}

async function isImage(client: Client, url: string): Promise<boolean> {
  const bytes = new Uint8Array(await (await client.download(url)).arrayBuffer());
  return new TextDecoder().decode(bytes.subarray(8, 12)) === 'WEBP';
}

/** Makes a small image unlike that of any other number, so that no job finds its result in the cache. */
async function makeImage(number: number): Promise<Blob> {
  const background = { r: number % 256, g: Math.floor(number / 256) % 256, b: 96 };
  const png = await sharp({ create: { ...SIZE, channels: 3, background } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(png)], { type: 'image/png' });
}
