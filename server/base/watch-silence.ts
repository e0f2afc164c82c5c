/** Patience with a peer, in ms. */
export interface SilenceLimits {
  /** Longest time without an answer to anybody, while there are questions. */
  readonly silenceMs: number;
  /** Longest time until the answer to a question that has reached the peer; at least `silenceMs`. */
  readonly answerMs: number;
}

/** Watch over a peer that answers questions, many at once and over several connections. */
export interface SilenceWatch {
  /**
   * Notes a question.
   * @param isSent whether it is on its way. Others wait for their turn, in the order in which they were asked: one is
   *   on its way at the latest when the answer to a later one arrives.
   * @param onLost called when no answer can be hoped for; the question has ended then
   * @returns a function that ends it, once: with an answer of the peer, or without
   */
  expectAnswer(isSent: boolean, onLost: () => void): (isAnswer: boolean) => void;
}

interface Question {
  readonly onLost: () => void;
  /** When it was on its way at the latest. */
  sentAtMs: number;
}

/**
 * Finds questions that nobody will answer: their connections stay open for a quarter of an hour after the peer's
 * machine is gone without a word. Where no answer of any kind has come for a while, all are lost. Where others are
 * answered, over newer connections, one is lost that has taken longer than any answer may.
 * @param onSilence called when all are lost, before their own `onLost`
 */
export function watchSilence({ silenceMs, answerMs }: SilenceLimits, onSilence: () => void): SilenceWatch {
  /** Questions that may wait for their turn, in the order asked. */
  const waiting = new Set<Question>();
  /** Questions on their way, the earliest first. */
  const sent = new Set<Question>();
  let heardAtMs = 0;
  let isArmed = false;
  const arm = (atMs: number): void => {
    isArmed = true;
    setTimeout(check, atMs - performance.now()).unref();
  };
  const lose = (lost: readonly Question[]): void => {
    for (const question of lost) {
      sent.delete(question);
      waiting.delete(question);
      question.onLost();
    }
  };
  const check = (): void => {
    isArmed = false;
    const nowMs = performance.now();
    if (sent.size + waiting.size === 0) return;
    if (heardAtMs + silenceMs <= nowMs) {
      heardAtMs = nowMs;
      onSilence();
      lose([...sent, ...waiting]);
    } else lose([...sent].filter(({ sentAtMs }) => sentAtMs + answerMs <= nowMs));
    const [earliest] = sent;
    if (sent.size + waiting.size > 0)
      arm(Math.min(heardAtMs + silenceMs, (earliest?.sentAtMs ?? Number.POSITIVE_INFINITY) + answerMs));
  };
  /** Notes that all questions before one are on their way: it has its answer. */
  const overtake = (answered: Question): void => {
    if (!waiting.has(answered)) return;
    for (const question of waiting) {
      waiting.delete(question);
      if (question === answered) return;
      question.sentAtMs = performance.now();
      sent.add(question);
    }
  };
  return {
    expectAnswer(isSent, onLost) {
      const nowMs = performance.now();
      if (sent.size + waiting.size === 0) heardAtMs = nowMs;
      const question: Question = { onLost, sentAtMs: nowMs };
      (isSent ? sent : waiting).add(question);
      if (!isArmed) arm(nowMs + silenceMs);
      return (isAnswer) => {
        if (!sent.has(question) && !waiting.has(question)) return;
        if (isAnswer) {
          heardAtMs = performance.now();
          overtake(question);
        }
        sent.delete(question);
        waiting.delete(question);
      };
    },
  };
}
