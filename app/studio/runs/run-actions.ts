import type { OperationId } from '../../../models/registry.ts';
import { waitForImageSize } from '../files/image-sizes.ts';
import { areSameValues, type ParamValues } from '../tools/fields.ts';
import type { BatchItem, ItemState, RunLocation, RunRequest } from './batch.ts';
import type { FileHandling } from './file-handling.ts';
import { AutoStart, getIds, type LiveRun, startOrRerun } from './live-run.ts';
import { filesForDevice } from './read-fit.ts';
import type { Batch } from './run-batch.ts';
import { askForFacts } from './server-facts.ts';
import { isOfOtherSettings, type ShownFile } from './shown-files.ts';

/** State of a tool that its actions act on: that of the latest rendering. */
export interface RunState {
  readonly handling: FileHandling;
  readonly values: ParamValues;
  readonly location: RunLocation;
  readonly selected: BatchItem | undefined;
  readonly outdated: readonly BatchItem[];
  readonly sendable: readonly BatchItem[];
  readonly unpriced: readonly BatchItem[];
  readonly local: readonly BatchItem[];
  readonly getShown: (item: BatchItem) => ShownFile;
}

/** Setters of what outlives the page. */
export interface RunSetters {
  readonly setValues: (values: ParamValues) => void;
  readonly setLocation: (location: RunLocation) => void;
  /** Selects a file. */
  readonly select: (id: number) => void;
}

/** Actions on the files of one tool. They stay the same while the page is shown, and act on its latest state. */
export class RunActions {
  readonly batch: Batch;
  readonly live: LiveRun;
  readonly select: RunSetters['select'];
  /** Applies params that a result was made with: nothing runs, and nothing is dropped. */
  readonly applyValues: (values: ParamValues) => void;
  readonly #operationId: OperationId;
  readonly #setLocation: RunSetters['setLocation'];
  readonly #latest: () => RunState;
  readonly #autoStart: AutoStart;
  #liveTurn = 0;

  /** @param latest returns the state of the latest rendering */
  constructor(
    operationId: OperationId,
    { batch, live }: { readonly batch: Batch; readonly live: LiveRun },
    { setValues, setLocation, select }: RunSetters,
    latest: () => RunState,
  ) {
    this.batch = batch;
    this.live = live;
    this.select = select;
    this.applyValues = setValues;
    this.#operationId = operationId;
    this.#setLocation = setLocation;
    this.#latest = latest;
    this.#autoStart = new AutoStart(batch, (items, request) => filesForDevice(operationId, items, request));
  }

  /** Returns the file that the tool shows now. */
  readonly selected = (): BatchItem | undefined => this.#latest().selected;

  /** Returns what the stage shows of a file. */
  readonly getShown = (item: BatchItem): ShownFile => this.#latest().getShown(item);

  /** Returns the params of a run of a file on this device. */
  readonly paramsFor = (file: File): object => this.#request('device').paramsFor(file);

  readonly chooseLocation = (location: RunLocation): void => {
    if (location === 'server') this.live.cancel();
    this.#setLocation(location);
  };

  /**
   * Applies new params. A live tool renews the selected file after a pause; any other reruns the files that start at
   * once.
   */
  readonly applyAndStart = (chosen: ParamValues): void => {
    const { handling, values: before } = this.#latest();
    const values = handling.adapt(chosen, before);
    this.applyValues(values);
    if (handling.isLive) return void this.#renewLive(values);
    this.#autoStart.dropPending();
    this.#startDue(values, (state) => isWaiting(state) || isOfOtherSettings(state, values, handling));
  };

  /** Applies changes of some params as `applyAndStart` does. */
  readonly change = (changed: ParamValues): void =>
    this.applyAndStart({ ...this.#latest().values, ...changed });

  /** Starts the files that start at once, unless a run has a price. */
  readonly startAutomatically = (): void => this.#startDue(this.#latest().values, isWaiting);

  /** Runs all files without a result of the chosen settings, or one of them, on this device. */
  readonly start = (id?: number): void => {
    const { outdated, local } = this.#latest();
    const request = this.#request('device');
    if (id !== undefined) return void this.batch.start(request, [id]);
    void this.batch.rerun(request, getIds(outdated.filter((item) => local.includes(item))));
    const isAll = local.length === this.batch.view().items.length;
    void this.batch.start(request, isAll ? undefined : getIds(local));
  };

  /** Reruns one file on this device, with some values changed for that file alone. */
  readonly rerun = (id: number, changed: ParamValues): void =>
    void this.batch.rerun(this.#requestWith(changed), [id]);

  /**
   * Reruns one file without a request of the visitor, next to all else: it ends when the visitor runs any file. If its
   * model cannot be downloaded, the result stays as it is.
   * @returns the state that the file is then in; null when the run was cancelled
   */
  readonly rerunAutomatically = (id: number, changed: ParamValues): Promise<ItemState | null> =>
    this.live.start({ ...this.#requestWith(changed), isAutomatic: true }, id);

  #requestWith(changed: ParamValues): RunRequest {
    const { values } = this.#latest();
    // The chosen values stay as they are: the result is no older than they are.
    return { ...this.#request('device', { ...values, ...changed }), values };
  }

  /** Sends the sendable files to the server, but no file that is added later. */
  readonly startOnServer = (): void =>
    startOrRerun(this.batch, this.#request('server'), getIds(this.#latest().sendable));

  /** Sends the files without a price to the server, one after the other, to learn it. @throws OperationError as `askForFacts` */
  readonly askForPrices = async (options: Parameters<typeof askForFacts>[3]): Promise<void> => {
    const { paramsFor } = this.#request('server');
    for (const { file } of this.#latest().unpriced)
      await askForFacts(this.#operationId, file, paramsFor(file), options);
  };

  #request(location: RunLocation, values = this.#latest().values): RunRequest {
    return createRunRequest(this.#latest().handling, location, values);
  }

  #startDue(values: ParamValues, isDue: (state: ItemState) => boolean): void {
    const { handling, location } = this.#latest();
    const isNext = ({ file, state }: BatchItem) => handling.startsAutomatically(file) && isDue(state);
    if (location === 'device') void this.#autoStart.start(this.#request('device', values), isNext);
  }

  /** Never on the server: a live run has no price. */
  async #renewLive(values: ParamValues): Promise<void> {
    const mine = ++this.#liveTurn;
    const { selected, location } = this.#latest();
    const resultParams =
      selected && 'resultParams' in selected.state ? selected.state.resultParams : undefined;
    const isCurrent = resultParams && areSameValues(resultParams, values);
    if (!selected || location === 'server' || isCurrent) return this.live.cancel();
    const request = this.#request('device', values);
    const [item] = await filesForDevice(this.#operationId, [selected], request);
    if (mine !== this.#liveTurn) return;
    if (item) void this.live.start(request, item.id);
    else this.live.cancel();
  }
}

/** Returns the request of a run with these values. */
export function createRunRequest(
  handling: FileHandling,
  location: RunLocation,
  values: ParamValues,
): RunRequest {
  return {
    paramsFor: (file) => handling.paramsFor(file, values, location),
    ...(handling.followsSize(values) && { prepare: waitForImageSize }),
    settings: handling.settingsFor(values),
    location,
    values,
  };
}

const isWaiting = ({ phase }: ItemState): boolean => phase === 'waiting';
