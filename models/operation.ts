import type { z } from 'zod';
import type { MicroUsd } from './money.ts';
import { parseParams } from './params.ts';
import type { Runtime } from './runtime.ts';

/** A request field that carries the input: exactly one of an operation's input fields must be given. */
export interface InputField {
  readonly media: 'image' | 'audio' | 'video';
  readonly description: string;
}

export interface OutputFile {
  /** File name with extension, unique within the run. */
  readonly name: string;
  readonly mediaType: string;
  readonly blob: Blob;
}

/** A line of the price list: what one unit costs on the server. */
export interface Rate {
  readonly amount: MicroUsd;
  /** What is counted, in the reader's words: `image`, `started second`. */
  readonly per: string;
}

/** What a run gives back. The engine is always named: nothing pretends. */
export interface RunResult {
  readonly files: readonly OutputFile[];
  readonly engine: string;
  /** Sentences for the user about what could not be done as asked. */
  readonly warnings: readonly string[];
  /** What was found out besides, under the names that it has in an answer. */
  readonly details?: Readonly<Record<string, string | number>>;
}

export interface OperationLimits {
  readonly inputBytesMax: number;
  /** A run that takes longer is ended. */
  readonly runSecondsMax: number;
  /** A run whose process holds more is ended. */
  readonly memoryBytesMax: number;
}

export type RunFunction<Params> = (input: Blob, params: Params, runtime: Runtime) => Promise<RunResult>;

export interface OperationDefinition<Id extends string, Shape extends z.ZodRawShape, Facts> {
  /** The specification's model_id. */
  readonly id: Id;
  readonly title: string;
  readonly summary: string;
  /** HTTP path below `/api`. */
  readonly path: string;
  /** Which header carries the key: `Ocp-Apim-Subscription-Key` or `Authorization: Bearer`. */
  readonly authentication: 'subscription-key' | 'bearer';
  readonly inputs: Readonly<Record<string, InputField>>;
  readonly params: z.ZodObject<Shape>;
  readonly limits: OperationLimits;
  /** The price list. `price` is worked out from these and nothing else. */
  readonly rates: readonly Rate[];
  /**
   * Reads what the price and the limits depend on, from the bytes alone.
   * @throws OperationError `bad_request` when the input is not of a kind the operation takes, or is beyond a limit
   */
  probe(input: Blob): Promise<Facts>;
  price(facts: Facts, params: z.output<z.ZodObject<Shape>>): MicroUsd;
  /** Reached by dynamic import only, so that no page carries pipeline code. */
  load(): Promise<{ run: RunFunction<z.output<z.ZodObject<Shape>>> }>;
}

/** One operation as every edge sees it: parameters are checked here, once, whoever calls. */
export interface Operation<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly summary: string;
  readonly path: string;
  readonly authentication: 'subscription-key' | 'bearer';
  readonly inputs: Readonly<Record<string, InputField>>;
  readonly params: z.ZodObject;
  readonly limits: OperationLimits;
  readonly rates: readonly Rate[];
  /** Facts about the input and what running it costs. @throws OperationError `bad_request` */
  quote(input: Blob, params: unknown): Promise<{ facts: object; price: MicroUsd }>;
  /** One run. @throws OperationError */
  execute(input: Blob, params: unknown, runtime: Runtime): Promise<RunResult>;
}

export function defineOperation<Id extends string, Shape extends z.ZodRawShape, Facts extends object>(
  definition: OperationDefinition<Id, Shape, Facts>,
): Operation<Id> {
  const { probe, price, load, ...card } = definition;
  return {
    ...card,
    async quote(input, params) {
      const parsed = parseParams(definition.params, params);
      const facts = await probe(input);
      return { facts, price: price(facts, parsed) };
    },
    async execute(input, params, runtime) {
      const parsed = parseParams(definition.params, params);
      runtime.signal.throwIfAborted();
      const { run } = await load();
      const result = await run(input, parsed, runtime);
      runtime.progress(1);
      return result;
    },
  };
}
