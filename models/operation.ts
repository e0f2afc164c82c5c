import type { z } from 'zod';
import type { MicroUsd } from './money.ts';
import { parseParams } from './params.ts';
import type { Runtime } from './runtime.ts';

export type Media = 'image' | 'audio' | 'video';

/** A request field that carries the input: exactly one of an operation's input fields must be given. */
export interface InputField {
  readonly media: Media;
  /** What stands in the field: where the file is, or the file itself. */
  readonly encoding: 'url' | 'base64';
  /** Instead of the limits' `inputBytesMax`. */
  readonly bytesMax?: number;
  readonly description: string;
}

/** A further file that a param names by its URL. It must be of a kind and size that the input may have, too. */
export interface Attachment {
  /** The param's. */
  readonly name: string;
  readonly media: Media;
  readonly url: string;
}

/** What probing tells of any input. */
export interface InputFacts {
  /** By the bytes: `image/png`. */
  readonly mediaType: string;
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
  /** A run that takes longer is ended, unless the operation knows better from the facts of its input. */
  readonly runSecondsMax: number;
  /** A run whose process holds more is ended. */
  readonly memoryBytesMax: number;
}

export type RunFunction<Params> = (input: Blob, params: Params, runtime: Runtime) => Promise<RunResult>;

/** What an operation takes many of in one request. */
export interface BatchCard {
  readonly itemsMax: number;
  /** Params that may stand beside the items, for those that have none of their own. */
  readonly shared: readonly string[];
}

/** What every edge knows of an operation. */
interface Card<Id extends string> {
  /** The specification's model_id. */
  readonly id: Id;
  readonly title: string;
  readonly summary: string;
  /** HTTP path below `/api`. */
  readonly path: string;
  /** Which header carries the key: `Ocp-Apim-Subscription-Key` or `Authorization: Bearer`. */
  readonly authentication: 'subscription-key' | 'bearer';
  readonly inputs: Readonly<Record<string, InputField>>;
  readonly limits: OperationLimits;
  /** The price list. The price is worked out from these and nothing else. */
  readonly rates: readonly Rate[];
  /**
   * What a request that waits for its job is answered with, as the interface specifies it; made of `status`,
   * `output_url`, `processing_ms` and the details of the run. The job itself when absent.
   */
  readonly result?: z.ZodObject;
  /** How long a result answers the same request of the same account again, at no charge. Never when absent. */
  readonly cacheHours?: number;
  /** How many of its requests may come as one. Each for itself when absent. */
  readonly batch?: BatchCard;
}

export interface OperationDefinition<Id extends string, Shape extends z.ZodRawShape, Facts> extends Card<Id> {
  readonly params: z.ZodObject<Shape>;
  /** None when absent. */
  attachments?(params: z.output<z.ZodObject<Shape>>): readonly Attachment[];
  /** None does when absent. */
  waits?(params: z.output<z.ZodObject<Shape>>): boolean;
  /**
   * Reads what the price and the limits depend on, from the bytes alone.
   * @param media what the input is meant to be, where that is known: words for one that is nothing at all
   * @throws OperationError `bad_request` when the input is not of a kind the operation takes, or is beyond a limit
   */
  probe(input: Blob, media?: Media): Promise<Facts>;
  /** For an input in place of the limits' `runSecondsMax`, which counts when it is undefined. */
  runSecondsMax?(facts: Facts): number | undefined;
  price(facts: Facts, params: z.output<z.ZodObject<Shape>>): MicroUsd;
  /** Reached by dynamic import only, so that no page carries pipeline code. */
  load(): Promise<{ run: RunFunction<z.output<z.ZodObject<Shape>>> }>;
}

/** One operation as every edge sees it: parameters are checked here, once, whoever calls. */
export interface Operation<Id extends string = string> extends Card<Id> {
  readonly params: z.ZodObject;
  /** The further files that the params name. @throws OperationError `bad_request` */
  attachments(params: unknown): readonly Attachment[];
  /**
   * Whether a request waits for the end of its job; the others are answered at once with where to ask for it.
   * @throws OperationError `bad_request`
   */
  waits(params: unknown): boolean;
  /** Facts about an input or attachment, from its bytes. @throws OperationError `bad_request` */
  probe(input: Blob, media?: Media): Promise<InputFacts>;
  /**
   * Facts about the input and what running it costs.
   * @param media what the input is meant to be, where that is known
   * @throws OperationError `bad_request`
   */
  quote(input: Blob, params: unknown, media?: Media): Promise<{ facts: InputFacts; price: MicroUsd }>;
  /** What a run on an input may hold and take. @param facts as `quote` told them */
  limitsFor(facts: object): OperationLimits;
  /** One run. @throws OperationError */
  execute(input: Blob, params: unknown, runtime: Runtime): Promise<RunResult>;
}

export function defineOperation<Id extends string, Shape extends z.ZodRawShape, Facts extends InputFacts>(
  definition: OperationDefinition<Id, Shape, Facts>,
): Operation<Id> {
  const { price, load, attachments, waits, runSecondsMax, ...card } = definition;
  return {
    ...card,
    attachments: (params) => attachments?.(parseParams(definition.params, params)) ?? [],
    waits: (params) => waits?.(parseParams(definition.params, params)) ?? false,
    async quote(input, params, media) {
      const parsed = parseParams(definition.params, params);
      const facts = await definition.probe(input, media);
      return { facts, price: price(facts, parsed) };
    },
    limitsFor(facts) {
      const { limits } = definition;
      return { ...limits, runSecondsMax: runSecondsMax?.(facts as Facts) ?? limits.runSecondsMax };
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
