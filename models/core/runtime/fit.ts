import { readEngineNames } from './engine-name.ts';
import { fitsGpu, fitsWasm, type InferenceDevice, needsGpu } from './inference-device.ts';
import { isComplete, type WeightCard, weightFileName } from './weight-card.ts';

/** Operation, as far as its engines go. */
interface EngineOwner {
  readonly engines?: readonly OperationEngine[];
  readonly engineList?: readonly OperationEngine[];
}

/** Licence of what has no weights, or weights of our own. */
const OWN_LICENCE = 'Our own';

/** Device, as far as a run depends on it. */
export interface Device {
  readonly inference: InferenceDevice;
  /** Whether threads may share memory. */
  readonly hasThreads: boolean;
  /** Memory of a run's own data in a tab; null where the browser does not report the device's. */
  readonly tabBytesMax: number | null;
  /** Storage that the browser still grants this site; null where it does not say. */
  readonly freeBytes: number | null;
  /** Sizes of the stored weight files, complete or partial, by file name; null where the browser stores none. */
  readonly stored: ReadonlyMap<string, number> | null;
}

/** Needs of a run besides its model. */
export interface DeviceNeeds {
  /** Upper estimate of the memory for the run's own data. Absent: unknown, and never too much. */
  readonly memoryBytes?: number;
  /** Subject of a sentence when the run needs threads: `Reading images`. */
  readonly threadsFor?: string;
}

/** Returns the needs of a run on an image: what reads images in a browser has threads. */
export function imageNeeds(memoryBytes: number): DeviceNeeds {
  return { memoryBytes, threadsFor: 'Reading images' };
}

/** Engine of an operation, as data: nothing of how it runs. */
export interface OperationEngine {
  /** As the param `engine` names it. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** Its weights; null for a method without a model. */
  readonly card: WeightCard | null;
  /** Further files that it loads with those. */
  readonly companions?: readonly WeightCard[];
  /** Whether its files are open at the same time, so that their memory adds up. */
  readonly areOpenAtOnce?: boolean;
  /** Whether only its name chooses it, and `auto` never does. */
  readonly isOptIn?: boolean;
}

/** Returns the files of an engine; none for a method without a model. */
export function listFiles({ card, companions = [] }: OperationEngine): readonly WeightCard[] {
  return card === null ? [] : [card, ...companions];
}

/** Returns the memory that an engine's models declare: of those that are open at once; 0 for a method without one. */
export function declaredMemory(engine: OperationEngine): number {
  const each = listFiles(engine).map(({ memoryBytes }) => memoryBytes);
  return engine.areOpenAtOnce ? each.reduce((sum, bytes) => sum + bytes, 0) : Math.max(0, ...each);
}

/** Reports whether the licences of an engine's files allow use in a paid service. */
export function isCommercial(engine: OperationEngine): boolean {
  return listFiles(engine).every(({ licence }) => licence.commercial === undefined);
}

/** Failure of an engine on this device with a file. */
export interface EngineFailure {
  /** Sentences for the visitor. */
  readonly reason: string;
  /** Whether another try may succeed: a download failed. */
  readonly mayRetry: boolean;
}

/** Whether a run can take place on a device. Reasons are sentences for the visitor. */
export type Fit =
  | { readonly verdict: 'here' }
  /** After a download, once or, where the browser stores no files, each time. */
  | { readonly verdict: 'download'; readonly bytes: number | null; readonly isKept: boolean }
  /** `server`: on the server only; `nowhere`: not even there. */
  | ({ readonly verdict: 'server' | 'nowhere' } & Unfit);

/** Shortage of a device that a run does not fit. */
interface Unfit {
  readonly reason: string;
  /** Whether a user who insists may try it here all the same. */
  readonly mayRetry?: boolean;
}

/** Fit of one run with its chosen engine, and with each engine of the operation, by id. */
export interface RunFit {
  readonly run: Fit;
  readonly engines: ReadonlyMap<string, Fit>;
}

export interface FitRequest {
  /** Engines of the operation, best first; none for an operation that has only one way. */
  readonly engines: readonly OperationEngine[];
  /** Id of an engine, or `auto`. */
  readonly engine: string;
  readonly needs: DeviceNeeds;
  /** Reason why the server does not accept the run; null when it does. */
  readonly serverRefusal: string | null;
  /** Engines that failed on this device with this file, by id. */
  readonly failures?: Readonly<Record<string, EngineFailure>>;
}

const HERE: Fit = { verdict: 'here' };
const NO_ENGINE: OperationEngine = { id: '', name: '', card: null };

/** Returns the engine that params name: `auto` where they name none. */
export function requestedEngine(params: object): string {
  return 'engine' in params && typeof params.engine === 'string' ? params.engine : 'auto';
}

/** Decides where a run can take place, before anything is loaded. */
export function fitRun(request: FitRequest, device: Device): RunFit {
  const { engines, engine, needs, serverRefusal, failures = {} } = request;
  const elsewhere = ({ reason, ...shortage }: Unfit): Fit =>
    serverRefusal === null
      ? { ...shortage, verdict: 'server', reason }
      : { ...shortage, verdict: 'nowhere', reason: `${reason} ${serverRefusal}` };
  const getFit = (engine: OperationEngine): Fit => {
    const { id, card } = engine;
    const failure = failures[id];
    if (failure !== undefined) return elsewhere(failure);
    const fit = card ? fitModels(listFiles(engine), device) : HERE;
    if ('reason' in fit) return elsewhere(fit);
    // A model on the GPU takes no memory of the tab.
    const modelBytes = card && !fitsGpu(card, device.inference) ? declaredMemory(engine) : 0;
    const shortage = unfitReason({ ...needs, memoryBytes: (needs.memoryBytes ?? 0) + modelBytes }, device);
    return shortage === null ? fit : elsewhere({ reason: shortage });
  };
  const fits = new Map(engines.map((each) => [each.id, getFit(each)]));
  const automatic = engines
    .filter((each) => !each.isOptIn && isCommercial(each))
    .flatMap(({ id }) => fits.get(id) ?? []);
  const own = fits.size === 0 ? [getFit(NO_ENGINE)] : automatic;
  return { run: fits.get(engine) ?? getBest(own), engines: fits };
}

/**
 * Decides whether a device can run a model at all, whatever the file.
 * @returns never `nowhere`
 */
export function fitModel(card: WeightCard, { inference, freeBytes, stored }: Device): Fit {
  if (!fitsGpu(card, inference) && !fitsWasm(card, inference)) {
    return { verdict: 'server', reason: describeModelShortage(card, inference) };
  }
  if (card.url === null) return HERE;
  if (stored === null) return { verdict: 'download', bytes: card.bytes, isKept: false };
  const storedBytes = stored.get(weightFileName(card)) ?? 0;
  if (isComplete(card, storedBytes)) return HERE;
  const bytes = card.bytes === null ? null : Math.max(0, card.bytes - storedBytes);
  if (bytes !== null && freeBytes !== null && bytes > freeBytes) {
    return { verdict: 'server', reason: describeStorageShortage(bytes, freeBytes) };
  }
  return { verdict: 'download', bytes, isKept: true };
}

/**
 * Decides whether a device can run a model of several files, one after the other.
 * @param cards the largest first
 */
export function fitModels(cards: readonly WeightCard[], device: Device): Fit {
  const fits = cards.map((card) => fitModel(card, device));
  const shortage = fits.find((fit) => 'reason' in fit);
  if (shortage) return shortage;
  const downloads = fits.filter((fit) => fit.verdict === 'download');
  const [first] = downloads;
  if (!first) return HERE;
  const bytes = downloads.reduce<number | null>(
    (sum, fit) => (sum === null || fit.bytes === null ? null : sum + fit.bytes),
    0,
  );
  const { freeBytes, stored } = device;
  if (stored !== null && bytes !== null && freeBytes !== null && bytes > freeBytes) {
    return { verdict: 'server', reason: describeStorageShortage(bytes, freeBytes) };
  }
  return { ...first, bytes };
}

function describeStorageShortage(bytes: number, freeBytes: number): string {
  return `Needs ${megabytes(bytes)} of storage; this browser has ${megabytes(freeBytes)} left for this site.`;
}

/** Returns the first engine that is ready, else the first that can be downloaded, else the first reason. */
function getBest(fits: readonly Fit[]): Fit {
  const first = (verdict: Fit['verdict']) => fits.find((fit) => fit.verdict === verdict);
  return first('here') ?? first('download') ?? fits.at(-1) ?? HERE;
}

/** Returns the reason why a device cannot give what a run needs; null when it can. */
function unfitReason({ memoryBytes = 0, threadsFor }: DeviceNeeds, device: Device): string | null {
  if (threadsFor && !device.hasThreads) {
    return `${threadsFor} needs threads that share memory, and this browser gives this page none.`;
  }
  if (device.tabBytesMax === null || memoryBytes <= device.tabBytesMax) return null;
  return `This file needs about ${gigabytes(memoryBytes)} of memory; this browser has about ${gigabytes(device.tabBytesMax)} for it.`;
}

function describeModelShortage(
  card: WeightCard,
  { gpu, wasmBytesMax, gpuBytesMax }: InferenceDevice,
): string {
  const needed = gigabytes(card.memoryBytes);
  if (needsGpu(card) && !gpu) {
    return `Needs a graphics processor with ${needed} of memory; this browser gives this page none.`;
  }
  if (needsGpu(card) && card.precision === 'fp16' && !gpu?.hasFloat16) {
    return 'Needs a graphics processor that computes with 16-bit numbers.';
  }
  const available = gigabytes(gpu ? Math.max(gpuBytesMax, wasmBytesMax) : wasmBytesMax);
  return `Needs about ${needed} of memory; this browser has about ${available} for it.`;
}

function gigabytes(bytes: number): string {
  return bytes < 1e9 ? megabytes(bytes) : `${(bytes / 1e9).toFixed(1)} GB`;
}

function megabytes(bytes: number): string {
  return bytes < 10e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;
}

/** Returns the engines of an operation with all of their files; none for an operation that has only one way. */
export function listOwnEngines({ engines, engineList = engines }: EngineOwner): readonly OperationEngine[] {
  return engineList ?? [];
}

/** Names the licences of an engine's weights: `MIT, CC-BY-4.0`. */
export function describeLicences(engine: OperationEngine): string {
  const names = new Set(listFiles(engine).map(({ licence }) => licence.name));
  return names.size === 0 ? OWN_LICENCE : [...names].join(', ');
}

/**
 * Names the licences of the engines that made a result.
 * @param engine as stored with a result: `matte on cpu`, or several of these with commas
 * @returns null for codecs, which write no result of their own, and where the engine is not known
 */
export function findEngineLicence(operation: EngineOwner | undefined, engine: unknown): string | null {
  if (!operation || typeof engine !== 'string') return null;
  const ids = readEngineNames(engine).map(({ id }) => id);
  const ran = listOwnEngines(operation).filter(({ id }) => ids.includes(id));
  const licences = new Set(ran.map(describeLicences));
  return licences.size === 0 ? null : [...licences].join(', ');
}
