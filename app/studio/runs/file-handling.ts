import type { DeviceSettings } from '../../../models/media/image/device-settings.ts';
import { type Field, getValues, type ParamValues } from '../tools/fields.ts';
import type { DoneState, ItemState, RunLocation } from './batch.ts';

/** Differences between the files of one tool. */
export interface FileHandling {
  /** Returns the params for one file, based on the chosen values and the location of the run. */
  paramsFor(file: File, values: ParamValues, where: RunLocation): object;
  /** Whether the params of a file follow from its own size (`getImageSize`), which a run then waits for. */
  followsSize(values: ParamValues): boolean;
  /** Returns settings that only a run on this device has, based on the chosen values. */
  settingsFor(values: ParamValues): DeviceSettings | undefined;
  /** Returns chosen values with those adapted that follow from a changed one. @param before values until then */
  adapt(values: ParamValues, before: ParamValues): ParamValues;
  /** Whether a file runs as soon as it is added, because it needs no choice first. */
  startsAutomatically(file: File): boolean;
  /** Whether a change of settings renews the selected file on this device. */
  readonly isLive: boolean;
  /** Whether the server is for better models alone, and sells no run of a model that this device has, too. */
  readonly sellsModels: boolean;
  /**
   * Whether the server finds more than a result from this device holds. Absent for a tool whose server finds the same.
   * A result of such a server depends on no settings, so it stays when they change.
   */
  readonly improvesOnServer?: (state: DoneState) => boolean;
}

/** Returns a tool's handling of files, with the usual one for whatever it leaves out. */
export function completeHandling(given: Partial<FileHandling>, fields: readonly Field[]): FileHandling {
  return {
    paramsFor: (_file, values) => getValues(fields, values),
    followsSize: () => false,
    settingsFor: () => undefined,
    adapt: (values) => values,
    startsAutomatically: () => false,
    isLive: false,
    sellsModels: false,
    ...given,
  };
}

/**
 * Reports whether the server would make another result than a file has.
 * @param improves whether it finds more; undefined for a tool whose server finds the same by other models
 */
export function gainsOnServer(state: ItemState, improves: FileHandling['improvesOnServer']): boolean {
  return state.phase === 'done' && !state.result.server && (improves?.(state) ?? true);
}
