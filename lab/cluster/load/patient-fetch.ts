import type { Fetch } from '../../../clients/typescript/src/index.ts';

/** Longer than any response of a service that can be reached; a host behind a cut link never responds. */
const TIMEOUT_MS = 20_000;

/** Gives up on a response in time, as on a lost connection, so that the client sends the request again. */
export const patientFetch: Fetch = async (request) => {
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
