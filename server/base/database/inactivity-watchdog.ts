/** Time limits of a peer, in ms. */
export interface InactivityLimits {
  /** Longest time without any response, while requests are pending. */
  readonly idleTimeoutMs: number;
  /** Longest time until the response to a request that has reached the peer; at least `idleTimeoutMs`. */
  readonly responseTimeoutMs: number;
}

/** Watchdog over a peer that responds to many requests at once, over several connections. */
export interface InactivityWatchdog {
  /**
   * Tracks a request.
   * @param isSent whether it is on its way. Others wait for a connection, in the order of their requests: one is on its
   *   way at the latest when the response to a later one arrives.
   * @param onLost called when no response will come; the request has ended then
   * @returns a function that ends the request, once: with a response of the peer, or without
   */
  trackRequest(isSent: boolean, onLost: () => void): (isResponse: boolean) => void;
  /** Counts the requests without a response so far, those that wait for a connection included. */
  countPending(): number;
}

interface PendingRequest {
  readonly onLost: () => void;
  /** Latest time at which it was sent. */
  sentAtMs: number;
}

/**
 * Finds requests that will get no response: their connections stay open for a quarter of an hour after the peer's
 * machine has failed silently. Where no response of any kind has come for a while, all are lost. Where others get
 * responses, over newer connections, one is lost that has taken longer than any response may.
 * @param onInactivity called when all are lost, before their own `onLost`
 */
export function createInactivityWatchdog(
  { idleTimeoutMs, responseTimeoutMs }: InactivityLimits,
  onInactivity: () => void,
): InactivityWatchdog {
  /** Requests that may wait for a connection, the earliest first. */
  const waiting = new Set<PendingRequest>();
  /** Requests on their way, the earliest first. */
  const sent = new Set<PendingRequest>();
  let lastResponseAtMs = 0;
  let isArmed = false;
  const arm = (atMs: number): void => {
    isArmed = true;
    setTimeout(check, atMs - performance.now()).unref();
  };
  const expire = (lost: readonly PendingRequest[]): void => {
    for (const request of lost) {
      sent.delete(request);
      waiting.delete(request);
      request.onLost();
    }
  };
  const check = (): void => {
    isArmed = false;
    const nowMs = performance.now();
    if (sent.size + waiting.size === 0) return;
    if (lastResponseAtMs + idleTimeoutMs <= nowMs) {
      lastResponseAtMs = nowMs;
      onInactivity();
      expire([...sent, ...waiting]);
    } else expire([...sent].filter(({ sentAtMs }) => sentAtMs + responseTimeoutMs <= nowMs));
    if (sent.size + waiting.size === 0) return;
    const [earliest] = sent;
    const earliestSentAtMs = earliest?.sentAtMs ?? Number.POSITIVE_INFINITY;
    arm(Math.min(lastResponseAtMs + idleTimeoutMs, earliestSentAtMs + responseTimeoutMs));
  };
  /** Marks the requests before one that has its response: they have been sent. */
  const markSent = (responded: PendingRequest): void => {
    if (!waiting.has(responded)) return;
    for (const request of waiting) {
      waiting.delete(request);
      if (request === responded) return;
      request.sentAtMs = performance.now();
      sent.add(request);
    }
  };
  return {
    countPending: () => sent.size + waiting.size,
    trackRequest(isSent, onLost) {
      const nowMs = performance.now();
      if (sent.size + waiting.size === 0) lastResponseAtMs = nowMs;
      const request: PendingRequest = { onLost, sentAtMs: nowMs };
      (isSent ? sent : waiting).add(request);
      if (!isArmed) arm(nowMs + idleTimeoutMs);
      return (isResponse) => {
        if (!sent.has(request) && !waiting.has(request)) return;
        if (isResponse) {
          lastResponseAtMs = performance.now();
          markSent(request);
        }
        sent.delete(request);
        waiting.delete(request);
      };
    },
  };
}
