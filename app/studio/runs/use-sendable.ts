'use client';

import { type ErrorCode, REQUEST_ERRORS } from '../../../models/core/operation/errors.ts';
import type { OperationId } from '../../../models/registry.ts';
import type { ParamValues } from '../tools/fields.ts';
import type { BatchItem, DoneState, ItemState, RunLocation } from './batch.ts';
import { gainsOnServer } from './file-handling.ts';
import { type Fits, useFits } from './use-fits.ts';
import { type Price, usePrice } from './use-price.ts';
import { type ServerEngine, useServerEngine } from './use-server-engine.ts';

/** Faults of the file itself: another run finds them again. */
const OF_THE_FILE: readonly ErrorCode[] = ['bad_request', 'unsupported', 'too_large', 'unprocessable'];

/** Faults that would occur on our server, too. */
const OF_ANY_MACHINE: readonly ErrorCode[] = [...OF_THE_FILE, ...REQUEST_ERRORS, 'model_not_found'];

interface SendableOptions {
  readonly items: readonly BatchItem[];
  readonly isRunning: boolean;
  /** Files whose result comes from other settings. */
  readonly outdated: readonly BatchItem[];
  /** Whether the server is for better models alone. */
  readonly sellsModels: boolean;
  /** Whether the server finds more than a result from this device holds. */
  readonly improvesOnServer: ((state: DoneState) => boolean) | undefined;
  readonly values: ParamValues;
  readonly where: RunLocation;
  readonly paramsFor: (file: File) => object;
}

/** Files that the server may run, and the places where each file can run. */
export interface Sendable {
  /** Places where each file can run, and with which engines. */
  readonly fits: Fits;
  /**
   * Files that the server may run: those that failed through no fault of the file, those that this device cannot run,
   * or, once the server is chosen, all but those that have its result, or one that holds as much.
   */
  readonly sendable: readonly BatchItem[];
  /** Files that would be sendable if they had a price, which only the server can tell. */
  readonly unpriced: readonly BatchItem[];
  /** Price of the sendable files; undefined while it is computed, null when that failed. */
  readonly price: Price | null | undefined;
  /** Engine that the server would use, while the server is offered and once that is known. */
  readonly serverEngine: ServerEngine | undefined;
  /** Whether the server sells nothing that this device would not make, too. */
  readonly isSoldOut: boolean;
  /** Files that this device may run. */
  readonly local: readonly BatchItem[];
}

/** Sorts a tool's files by where they can run. */
export function useSendable(operationId: OperationId, options: SendableOptions): Sendable {
  const { items, isRunning, outdated, sellsModels, improvesOnServer, values, where, paramsFor } = options;
  const fits = useFits(operationId, items, paramsFor);
  const isForServer = ({ id }: BatchItem) => fits.get(id)?.run.verdict === 'server';
  const isGaining = ({ state }: BatchItem) => gainsOnServer(state, improvesOnServer);
  const candidates = items.filter((item) => {
    if (mayRunOnServer(item.state)) return fits.get(item.id)?.run.verdict !== 'nowhere';
    const isDue = item.state.phase === 'waiting' || outdated.includes(item);
    return where === 'server' ? isDue || isGaining(item) : isDue && isForServer(item);
  });
  const price = usePrice(operationId, isRunning ? [] : candidates, paramsFor);
  // A result stays as it is where the server would reject the file.
  const unpriced = candidates.filter(({ id }) => price?.unknown.has(id));
  const accepted = candidates.filter(
    (item) => !unpriced.includes(item) && !(isGaining(item) && price?.refused.has(item.id)),
  );
  const serverEngine = useServerEngine(operationId, {
    values,
    fits,
    isWanted: where === 'server' || accepted.length > 0,
    items: accepted.length > 0 ? accepted : items,
  });
  const isSoldOut = sellsModels && serverEngine?.isOnDevice === true;
  const sendable = isSoldOut ? accepted.filter(isForServer) : accepted;
  const local = items.filter((item) => !isForServer(item));
  return { fits, sendable, unpriced, price, serverEngine, isSoldOut, local };
}

/** Reports whether a failed file may succeed on the server: its fault is not in the file itself. */
function mayRunOnServer(state: ItemState): boolean {
  return state.phase === 'failed' && !OF_ANY_MACHINE.includes(state.code);
}

/** Reports whether a failed file may succeed in another run with the same settings. */
export function mayRetry(state: ItemState): boolean {
  return state.phase === 'failed' && !OF_THE_FILE.includes(state.code);
}

/** Reports whether the server refused a file because the visitor is no longer signed in. */
export function isSignedOut(state: ItemState): boolean {
  return state.phase === 'failed' && state.code === 'unauthorized';
}
