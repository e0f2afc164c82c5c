import type { Runtime } from './runtime.ts';

/** Unit of the input or result that the time of a run grows with. */
export type AcceptanceUnit = 'megapixel' | 'second';

/** Engine under test, and what its test may use. */
export interface AcceptanceTask {
  /** Id of the engine. */
  readonly engine: string;
  readonly runtime: Runtime;
  /** Opens a sample by its file name. */
  sample(name: string): Promise<Blob>;
  /** Runs the operation; returns its files by name. */
  run(input: Blob, params: object): Promise<ReadonlyMap<string, Blob>>;
  /**
   * Times a part of the test. The fastest part counts: the first one may have loaded the model.
   * @param amount megapixels or seconds that it works on
   */
  time<Result>(amount: number, work: () => Promise<Result>): Promise<Result>;
}

/** Measures an engine on the samples; returns its figure. @throws OperationError as a run does */
export type MeasureFigure = (task: AcceptanceTask) => Promise<number>;

/** Test that shows on each installation whether an engine does its work: samples with known results. */
export interface AcceptanceCard {
  /** Kind of the figure: `IoU`. */
  readonly measure: string;
  /** Whether the best figure is the lowest. Defaults to false. */
  readonly lowerIsBetter?: boolean;
  readonly per: AcceptanceUnit;
  /** Figure that an engine must reach; those of some engines, by id, differ. */
  readonly floor: number;
  readonly floors?: Readonly<Record<string, number>>;
  /** Ids of engines that nothing measures: what they paint has no right result. */
  readonly exempt?: readonly string[];
  /** Loads the test, by dynamic import only. */
  load(): Promise<{ readonly measureFigure: MeasureFigure }>;
}

/** Returns the figure that an engine must reach. */
export function getFloor({ floor, floors = {} }: AcceptanceCard, engine: string): number {
  return floors[engine] ?? floor;
}
