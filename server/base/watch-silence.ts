/** Watch over a peer that answers questions, many at once. */
export interface SilenceWatch {
  /** Notes a question. @returns a function that ends it, once: with an answer of the peer, or without */
  expectAnswer(): (isAnswer: boolean) => void;
}

/**
 * Calls `onSilence` when questions are open and no answer of any kind has come for a while: the peer's machine is
 * gone without a word, and its connections stay open for a quarter of an hour. One slow answer is no silence where
 * others arrive.
 */
export function watchSilence(silenceMs: number, onSilence: () => void): SilenceWatch {
  let openQuestions = 0;
  let heardAtMs = 0;
  let isArmed = false;
  const arm = (afterMs: number): void => {
    isArmed = true;
    setTimeout(check, afterMs).unref();
  };
  const check = (): void => {
    isArmed = false;
    const leftMs = heardAtMs + silenceMs - performance.now();
    if (openQuestions === 0) return;
    if (leftMs > 0) {
      arm(leftMs);
      return;
    }
    heardAtMs = performance.now();
    arm(silenceMs);
    onSilence();
  };
  return {
    expectAnswer() {
      if (openQuestions === 0) heardAtMs = performance.now();
      openQuestions++;
      if (!isArmed) arm(silenceMs);
      let isOver = false;
      return (isAnswer) => {
        if (isOver) return;
        isOver = true;
        openQuestions--;
        if (isAnswer) heardAtMs = performance.now();
      };
    },
  };
}
