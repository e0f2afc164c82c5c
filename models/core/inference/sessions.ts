import type { Inference, InferenceResult, Session, WeightOptions } from '../runtime/inference.ts';
import { WarningSet } from '../runtime/run-warnings.ts';
import type { Tensor } from '../runtime/tensor.ts';
import type { WeightCard } from '../runtime/weight-card.ts';
import { modelMismatch } from './model-errors.ts';

interface SingleOptions {
  readonly card: { readonly id: string };
  /** Task that another graph does not do, as `modelMismatch` words it. */
  readonly lack: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a graph of floats with one input, of which the first output counts.
 * @param getFeed returns the input in the type that the graph takes
 * @throws OperationError `unavailable` when the graph has no such input or output
 */
export async function runSingle(
  session: Session,
  { card, lack, signal }: SingleOptions,
  getFeed: (type: 'float32' | 'float16') => Tensor,
): Promise<Omit<InferenceResult, 'outputs'> & { readonly output: Tensor }> {
  const [input] = session.inputs;
  const [first] = session.outputs;
  if (!input || !first || (input.type !== 'float32' && input.type !== 'float16'))
    throw modelMismatch(card, lack);
  const feeds = { [input.name]: getFeed(input.type) };
  const { outputs, ...result } = await session.run(feeds, signal, [first.name]);
  const output = outputs[first.name];
  if (!output) throw modelMismatch(card, lack);
  return { ...result, output };
}

/** Opens a session of each file of weights, all at once, while `work` runs. */
export async function withSessions<Result>(
  inference: Inference,
  cards: readonly WeightCard[],
  options: WeightOptions,
  work: (sessions: readonly Session[]) => Promise<Result>,
): Promise<Result> {
  const [card, ...others] = cards;
  if (!card) return await work([]);
  return await inference.use(card, options, (session) =>
    withSessions(inference, others, options, (open) => work([session, ...open])),
  );
}

/** Analysis by the runs of a session, with what they report. */
export class SessionRunner {
  /** Execution provider of the last run; empty before. */
  provider = '';
  readonly notices = new WarningSet();
  readonly #session: Session;
  readonly #signal: AbortSignal;

  constructor(session: Session, signal: AbortSignal) {
    this.#session = session;
    this.#signal = signal;
  }

  /** Runs the graph, and returns its outputs. @throws the reason of the signal when it aborts */
  protected async run(feeds: Readonly<Record<string, Tensor>>): Promise<InferenceResult['outputs']> {
    this.#signal.throwIfAborted();
    const { outputs, provider, notices } = await this.#session.run(feeds, this.#signal);
    this.provider = provider;
    this.notices.add(...notices);
    return outputs;
  }
}
