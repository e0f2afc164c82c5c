import type { z } from 'zod';
import { mapRecord } from '../records.ts';
import type { AcceptanceCard } from '../runtime/acceptance-test.ts';
import { type DeviceNeeds, listOwnEngines, type OperationEngine } from '../runtime/fit.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { WeightCard } from '../runtime/weight-card.ts';
import type { Deprecation } from './deprecation.ts';
import type { DirectResponse } from './direct-response.ts';
import { type EngineNeed, findNamedEngine } from './engine-needs.ts';
import type { ErrorOverrides } from './errors.ts';
import type { Attachment, InputFacts, InputField, Media } from './inputs.ts';
import type { Lane } from './job.ts';
import type { MicroUsd } from './money.ts';
import { parseParams, pickKnownParams } from './params.ts';
import type { OperationLimits, RunLimits, RunResult, TestResult } from './run-result.ts';

/** Part of an operation's definition that bounds its jobs. */
interface BoundsDefinition<Params extends z.ZodObject, Facts> {
  readonly params: Params;
  readonly limits: OperationLimits;
  /** Lane of a job on an input. Its batches always take the lane `batch`. */
  readonly lane: Lane | ((facts: Facts, params: z.output<Params>) => Lane);
  /**
   * Returns bounds of a run on an input that replace those of `limits`; memory never exceeds the latter.
   * @param modelBytesMax memory of the largest model that is available where the run takes place
   */
  limitsFor?(facts: Facts, params: z.output<Params>, modelBytesMax: number): Partial<RunLimits>;
}

/** Lane and limits of a job, by stored facts and params. Neither throws. */
interface Bounds {
  laneFor(facts: object, params: unknown): Lane;
  limitsFor(facts: object, params: unknown, modelBytesMax?: number): OperationLimits;
}

/** Line of the price list: the price of one unit on the server. */
interface Rate {
  readonly amount: MicroUsd;
  /** Unit in the reader's words: `image`, `started second`. */
  readonly per: string;
}

/** Excludes folders and everything that a file system or a URL interprets. */
const PLAIN_NAME = /^[^/\\\p{Cc}]{1,200}\.[a-z0-9]+$/u;

export type RunFunction<Params> = (input: Blob, params: Params, runtime: Runtime) => Promise<RunResult>;

/** Items of a batch, of every operation that accepts batches. */
export const BATCH_ITEMS_MAX = 100;

/** Batch support of an operation. */
export interface BatchCard {
  readonly itemsMax: number;
  /** Params allowed next to the items, for items without their own. */
  readonly shared: readonly string[];
}

/** Command of the client that runs an operation on files, and how it names the results. */
export interface CommandCard {
  readonly name: string;
  /** Names that still work, as commands and as tools of agents, and that no list shows. */
  readonly earlierNames?: readonly string[];
  /** Follows the input's name in the name of a result; empty where the extensions differ. */
  readonly suffix: string;
  /** Extension of a result whose format no param names. */
  readonly extension?: string;
  /** Name of the first of several results. */
  readonly first?: string;
}

/** Operation that a request runs as part of another, with its params. */
export interface OperationPart {
  readonly id: string;
  readonly operation: Operation;
  readonly params: object;
  /** Path of the params in the body: `steps[1].params`. */
  readonly path: string;
}

/** Pattern of a result's name that a request gives. */
export interface NamePattern {
  readonly pattern: string;
  /** Step that makes the file; the operation's short name where there are no steps. */
  readonly step: string;
}

/** Facts about an operation that every edge uses. */
interface Card<Id extends string, Params extends z.ZodObject, Body extends z.ZodObject> {
  /** The specification's model_id. */
  readonly id: Id;
  readonly title: string;
  readonly summary: string;
  /** HTTP path below `/api`. */
  readonly path: string;
  /** Header that carries the key: `Ocp-Apim-Subscription-Key`, `Authorization: Bearer`, or either. */
  readonly authentication: 'subscription-key' | 'bearer' | 'either';
  readonly inputs: Readonly<Record<string, InputField>>;
  /** Schema of the other fields. It accepts its own output, since jobs store parsed params and parse them again. */
  readonly params: Params;
  readonly limits: OperationLimits;
  /** Price list, by unit. The price is computed from these rates only. */
  readonly rates: Readonly<Record<string, Rate>>;
  /** Response to a request that waits for its job. Defaults to the job itself. */
  readonly response?: DirectResponse<Body>;
  /** Details of a run that its job shows with its output, null before the end. */
  readonly jobMembers?: z.ZodObject;
  /** Statuses and titles of faults that differ from the common table. */
  readonly errorOverrides?: ErrorOverrides;
  /**
   * Attempts before a reported fault on our side ends a job of a single request in ERROR; defaults to 3. A lost worker
   * is not a reported fault.
   */
  readonly attemptsMax?: number;
  /** Lifetime of a result as the free response to the same request of the same account. Absent: no reuse. */
  readonly cacheHours?: number;
  /** Batch support; absent where requests come one at a time. */
  readonly batch?: BatchCard;
  /** Engines, best first, of which the param `engine` names one; absent where there is only one way. */
  readonly engines?: readonly OperationEngine[];
  /** Engines with all of their files, as the list of engines shows them. Defaults to `engines`. */
  readonly engineList?: readonly OperationEngine[];
  /** Test of its engines on samples with known results; absent where it has no models. */
  readonly acceptance?: AcceptanceCard;
  /** Command of the client. Defaults to one with the operation's id as its name. */
  readonly command?: CommandCard;
  /**
   * Returns what follows the input's name in the name of a result.
   * @param stem name of the file within its run, without extension; by default the suffix of the command follows for
   *   `output`, and `-<stem>` for any other
   */
  nameSuffix?(stem: string): string;
  /** Returns the pattern of a result's name that its params ask for. @param stem as for `nameSuffix` */
  namePattern?(params: unknown, stem: string): NamePattern | undefined;
  /** Its end that is to come, which each of its responses announces; absent while there is none. */
  readonly deprecation?: Deprecation;
  /** Cards of the weight files that only it uses, which the catalogue lists; absent where it has none. */
  readonly weights?: readonly WeightCard[];
  /** Limits of the images that it reads, for those of a step before it; absent where it has none. */
  readonly imageLimits?: {
    readonly pixelsMax: number;
    readonly sideMax?: number;
    readonly formats?: readonly string[];
  };
  /**
   * Completes the body of a request before it is checked. Absent where nothing is to complete.
   * @throws OperationError `bad_request`
   */
  complete?(body: unknown): unknown;
}

export interface OperationDefinition<
  Id extends string,
  Params extends z.ZodObject,
  Body extends z.ZodObject,
  Facts,
  Unit extends string,
> extends Card<Id, Params, Body>,
    BoundsDefinition<Params, Facts> {
  readonly params: Params;
  readonly limits: OperationLimits;
  readonly rates: Readonly<Record<Unit, Rate>>;
  /** Defaults to none. */
  attachments?(params: z.output<Params>): readonly Attachment[];
  /** Reports whether the request waits for the end of its job. Defaults to never. */
  waits?(params: z.output<Params>): boolean;
  /**
   * Reads the facts that price and limits depend on, from the bytes alone.
   * @param media expected kind of the input, where known, for messages about unrecognisable bytes
   * @throws OperationError `bad_request` when the operation does not accept the kind of the input, or it exceeds a
   *   limit
   */
  probe(input: Blob, media?: readonly Media[]): Promise<Facts>;
  /**
   * Like `probe`, for a run on the visitor's device, which may accept more than the server. Defaults to `probe`.
   * @throws OperationError `bad_request`
   */
  probeOnDevice?(input: Blob): Promise<Facts>;
  /** Returns the number of files of a result. Defaults to 1. */
  outputCount?(params: z.output<Params>): number;
  /** Reports whether an engine, once it is available, can do what the params ask. Defaults to yes. */
  serves?(engine: string, params: z.output<Params>): boolean;
  /** Returns the parts of a request that only some engines can do. Defaults to none. */
  engineNeeds?(params: z.output<Params>): readonly EngineNeed[];
  /** Returns what a run needs of the visitor's device besides a model. Defaults to nothing. */
  deviceNeeds?(facts: Facts, params: z.output<Params>): DeviceNeeds;
  /** Returns the operations that a request consists of. Absent for one that is no composition. */
  parts?(params: z.output<Params>): readonly OperationPart[];
  /** Returns the prices of the parts, by their ids. */
  partPrices?(
    facts: Facts,
    params: z.output<Params>,
    amounts: Readonly<Record<Unit, MicroUsd>>,
  ): Readonly<Record<string, MicroUsd>>;
  /** Rejects combinations of facts and params. @throws OperationError `bad_request` naming the param */
  check?(facts: Facts, params: z.output<Params>): void;
  /** @param amounts those of the rates, by unit */
  price(facts: Facts, params: z.output<Params>, amounts: Readonly<Record<Unit, MicroUsd>>): MicroUsd;
  /**
   * Describes the result that a test key gets, of the type and size of a true one.
   * @param seed number made from the input, 0 to 2^32 - 1, for whatever a true run chooses at random
   */
  testResult(facts: Facts, params: z.output<Params>, seed: number): TestResult;
  /** Loads the pipeline, by dynamic import only, so that no page bundle contains it. */
  load(): Promise<{ run: RunFunction<z.output<Params>> }>;
}

/** Operation as every edge sees it: checks params in one place, for every caller. */
export interface Operation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
> extends Card<Id, Params, Body> {
  /** Whether its requests consist of parts. */
  readonly isComposite: boolean;
  /** Returns the further files that the params name. @throws OperationError `bad_request` */
  attachments(params: unknown): readonly Attachment[];
  /**
   * Reports whether a request waits for its job to end; other requests receive a polling URL immediately.
   * @throws OperationError `bad_request`
   */
  waits(params: unknown): boolean;
  /** Returns the number of files of a result. @throws OperationError `bad_request` */
  outputCount(params: unknown): number;
  /** Reads the facts about an input or attachment from its bytes. @throws OperationError `bad_request` */
  probe(input: Blob, media?: readonly Media[]): Promise<InputFacts>;
  /** Reads the facts about an input for a device, which may accept more. @throws OperationError `bad_request` */
  probeOnDevice(input: Blob): Promise<InputFacts>;
  /**
   * Checks facts and params together and computes the price.
   * @throws OperationError `bad_request` naming the param
   */
  price(facts: InputFacts, params: unknown): MicroUsd;
  /** Returns the operations that a request consists of; none for one that is no composition. @throws OperationError */
  parts(params: unknown): readonly OperationPart[];
  /** Returns the prices of the parts, by their ids. @throws OperationError `bad_request` */
  partPrices(facts: object, params: unknown): Readonly<Record<string, MicroUsd>>;
  /**
   * Reads facts about the input and computes the price of a run.
   * @param media expected kinds of the input, where known
   * @throws OperationError `bad_request`
   */
  quote(
    input: Blob,
    params: unknown,
    media?: readonly Media[],
  ): Promise<{ facts: InputFacts; price: MicroUsd }>;
  /**
   * Reports whether an engine, once it is available, can do what the params ask.
   * @throws OperationError `bad_request`
   */
  serves(engine: string, params: unknown): boolean;
  /**
   * Returns the parts of a request that only some engines can do: the engine that it names, and others.
   * @throws OperationError `bad_request`
   */
  engineNeeds(params: unknown): readonly EngineNeed[];
  /**
   * Checks an input and params for a run on the visitor's device.
   * @returns what the run needs of it besides a model
   * @throws OperationError `bad_request`
   */
  checkOnDevice(input: Blob, params: unknown): Promise<DeviceNeeds>;
  /**
   * Returns the same operation with other prices.
   * @param amounts by unit; the others stay
   */
  priced(amounts: Readonly<Record<string, MicroUsd>>): Operation<Id, Params, Body>;
  /**
   * Returns the lane of a job on an input; `long` where facts or params of an older version do not tell. Never throws.
   * @param facts from `quote`
   */
  laneFor(facts: object, params: unknown): Lane;
  /**
   * Returns the limits of a run on an input. Never throws: facts and params may be those of an older version.
   * @param facts from `quote`
   * @param modelBytesMax memory of the largest model that is available where the run takes place; unlimited when absent
   */
  limitsFor(facts: object, params: unknown, modelBytesMax?: number): OperationLimits;
  /** Whether it is the operation as test keys see it: without a price, engines and true results. */
  readonly isTest?: true;
  /**
   * Describes the result that a test key gets.
   * @param facts from `probe`
   * @param seed number made from the input, 0 to 2^32 - 1
   */
  testResult(facts: InputFacts, params: unknown, seed: number): TestResult;
  /** Loads the pipeline, which the first run does otherwise. */
  load(): Promise<void>;
  /**
   * Runs the operation once.
   * @throws OperationError
   */
  execute(input: Blob, params: unknown, runtime: Runtime): Promise<RunResult>;
}

export function defineOperation<
  Id extends string,
  Params extends z.ZodObject,
  Facts extends InputFacts,
  Unit extends string,
  Body extends z.ZodObject = z.ZodObject,
>(definition: OperationDefinition<Id, Params, Body, Facts, Unit>): Operation<Id, Params, Body> {
  const { check, load, attachments, waits, outputCount, serves, engineNeeds, lane, ...others } = definition;
  const {
    limitsFor,
    price,
    parts,
    partPrices,
    probeOnDevice = definition.probe,
    deviceNeeds,
    ...card
  } = others;
  const parse = (params: unknown) => parseParams(definition.params, params);
  const getPrice = (facts: Facts, params: z.output<Params>): MicroUsd => {
    check?.(facts, params);
    return price(facts, params, getAmounts(definition.rates));
  };
  return {
    ...card,
    ...getBounds(definition),
    isComposite: parts !== undefined,
    attachments: (params) => attachments?.(parse(params)) ?? [],
    waits: (params) => waits?.(parse(params)) ?? false,
    outputCount: (params) => outputCount?.(parse(params)) ?? 1,
    serves: (engine, params) => serves?.(engine, parse(params)) ?? true,
    engineNeeds(params) {
      const parsed = parse(params);
      return [...findNamedEngine(listOwnEngines(definition), parsed), ...(engineNeeds?.(parsed) ?? [])];
    },
    parts: (params) => parts?.(parse(params)) ?? [],
    partPrices: (facts, params) =>
      partPrices?.(ownFacts(facts), parse(params), getAmounts(definition.rates)) ?? {},
    probeOnDevice: (input) => probeOnDevice(input),
    price: (facts, params) => getPrice(ownFacts(facts), parse(params)),
    async quote(input, params, media) {
      const parsed = parse(params);
      const facts = await definition.probe(input, media);
      return { facts, price: getPrice(facts, parsed) };
    },
    async checkOnDevice(input, params) {
      const parsed = parse(params);
      const facts = await probeOnDevice(input);
      getPrice(facts, parsed);
      return deviceNeeds?.(facts, parsed) ?? {};
    },
    testResult: (facts, params, seed) => definition.testResult(ownFacts(facts), parse(params), seed),
    priced: (amounts) => defineOperation({ ...definition, rates: withAmounts(definition.rates, amounts) }),
    load: async () => void (await load()),
    async execute(input, params, runtime) {
      const parsed = parse(params);
      runtime.signal.throwIfAborted();
      const { run } = await load();
      const result = await run(input, parsed, runtime);
      assertFileNames(result.files);
      runtime.progress({ fraction: 1 });
      return result;
    },
  };
}

/** Returns the command of an operation. */
export function getCommand({ id, command }: Pick<Operation, 'id' | 'command'>): CommandCard {
  return command ?? { name: id, suffix: `-${id}` };
}

/** Finds the operation of a command by its name, or by an earlier one. */
export function findByCommand(operations: readonly Operation[], name: string): Operation | undefined {
  return operations.find((operation) => {
    const command = getCommand(operation);
    return command.name === name || command.earlierNames?.includes(name);
  });
}

/**
 * Checks the names of a run's files, which become names in storage, URLs and downloads.
 * @throws TypeError for a name that is no plain file name with an extension, or is repeated: a bug of the operation
 */
export function assertFileNames(files: readonly { readonly name: string }[]): void {
  const names = files.map(({ name }) => name);
  const wrong = names.find((name, at) => !PLAIN_NAME.test(name) || names.indexOf(name) !== at);
  if (wrong !== undefined) throw new TypeError(`"${wrong}" cannot name a file of this run`);
}

/** Types facts, which come from the operation's own probe wherever they have been since. */
function ownFacts<Facts extends object>(facts: object): Facts {
  return facts as Facts;
}

/** Returns the amount of each rate. */
function getAmounts<Unit extends string>(rates: Readonly<Record<Unit, Rate>>): Record<Unit, MicroUsd> {
  return mapRecord(rates, ({ amount }) => amount);
}

/** Returns the rates with other amounts, by unit; the others stay. */
function withAmounts<Unit extends string>(
  rates: Readonly<Record<Unit, Rate>>,
  amounts: Readonly<Record<string, MicroUsd>>,
): Readonly<Record<Unit, Rate>> {
  return mapRecord(rates, (rate, unit) => ({ ...rate, amount: amounts[unit] ?? rate.amount }));
}

/** Returns an operation's lane and limits by stored facts and params, which may be those of an older version. */
function getBounds<Params extends z.ZodObject, Facts extends object>(
  definition: BoundsDefinition<Params, Facts>,
): Bounds {
  const { lane, limits, limitsFor } = definition;
  /** Returns the value computed from stored params; undefined when those of an older version do not suffice. */
  const ofStored = <Value>(
    params: unknown,
    compute: (params: z.output<Params>) => Value,
  ): Value | undefined => {
    try {
      return compute(parseParams(definition.params, pickKnownParams(definition, params)));
    } catch {
      return undefined;
    }
  };
  return {
    laneFor(facts, params) {
      if (typeof lane !== 'function') return lane;
      return ofStored(params, (known) => lane(ownFacts(facts), known)) ?? 'long';
    },
    limitsFor(facts, params, modelBytesMax = Number.POSITIVE_INFINITY) {
      const own = ofStored(params, (known) => limitsFor?.(ownFacts(facts), known, modelBytesMax));
      const runSecondsMax = boundOr(limits.runSecondsMax, own?.runSecondsMax);
      const memoryBytesMax = boundOr(limits.memoryBytesMax, own?.memoryBytesMax);
      const processorSecondsMax = own?.processorSecondsMax ?? limits.processorSecondsMax;
      return {
        ...limits,
        runSecondsMax,
        memoryBytesMax: Math.min(limits.memoryBytesMax, memoryBytesMax),
        ...(processorSecondsMax !== undefined && { processorSecondsMax }),
      };
    },
  };
}

/** Returns the bound, or `fallback` where facts of an older version give no positive number. */
function boundOr(fallback: number, bound: unknown): number {
  return typeof bound === 'number' && Number.isFinite(bound) && bound > 0 ? bound : fallback;
}
