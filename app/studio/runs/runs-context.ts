'use client';

import { createContext, useContext } from 'react';
import type { ParamValues } from '../tools/fields.ts';
import type { BatchItem, RunLocation } from './batch.ts';
import type { Unsaved } from './persist-items.ts';
import type { RunActions } from './run-actions.ts';
import type { ShownFile } from './shown-files.ts';
import type { Fits } from './use-fits.ts';
import type { Sendable } from './use-sendable.ts';
import type { ServerEngine } from './use-server-engine.ts';

/** Choices of the visitor: they change with each edit. */
export interface RunSettings {
  readonly values: ParamValues;
  /** Location that the visitor chose. */
  readonly location: RunLocation;
}

/** Outline of the files: it changes as they come, go, begin and end, but never with their progress. */
export interface RunOutline {
  readonly count: number;
  readonly isRunning: boolean;
  /** File that the tool shows; undefined without files. */
  readonly selected: Pick<BatchItem, 'id' | 'file'> | undefined;
}

/** Places where files can run: they change as these become known. */
export interface RunPlaces {
  readonly fits: Fits;
  /** Engine that the server would use, while the server is offered and once that is known. */
  readonly serverEngine: ServerEngine | undefined;
  /** Whether the server sells nothing that this device would not make, too. */
  readonly isSoldOut: boolean;
}

/** All files with their states: they change with each step of a run. */
export interface RunFiles extends Pick<Sendable, 'sendable' | 'unpriced' | 'local' | 'price'> {
  readonly items: readonly BatchItem[];
  /** Files whose result or failure comes from other settings, but for the one that is being renewed. */
  readonly outdated: readonly BatchItem[];
  /** Files and results that a reload would lose. */
  readonly unsaved: Unsaved;
  /** Returns what the stage shows of a file. */
  readonly getShown: (item: BatchItem) => ShownFile;
}

/** One context for each slice of a tool's state, so that a component renders again only with what it shows. */
export const RUN_CONTEXTS = {
  actions: createContext<RunActions | null>(null),
  settings: createContext<RunSettings | null>(null),
  outline: createContext<RunOutline | null>(null),
  places: createContext<RunPlaces | null>(null),
  shown: createContext<ShownFile | null | undefined>(null),
  files: createContext<RunFiles | null>(null),
};

/** Returns the actions on the tool's files, which are always the same. */
export function useRunActions(): RunActions {
  return provided(useContext(RUN_CONTEXTS.actions));
}

export function useRunSettings(): RunSettings {
  return provided(useContext(RUN_CONTEXTS.settings));
}

export function useRunOutline(): RunOutline {
  return provided(useContext(RUN_CONTEXTS.outline));
}

export function useRunPlaces(): RunPlaces {
  return provided(useContext(RUN_CONTEXTS.places));
}

/** Returns the selected file as the stage shows it; undefined without files. */
export function useShownFile(): ShownFile | undefined {
  return provided(useContext(RUN_CONTEXTS.shown));
}

export function useRunFiles(): RunFiles {
  return provided(useContext(RUN_CONTEXTS.files));
}

function provided<Value>(value: Value | null): Value {
  if (value === null) throw new Error('There is no RunsProvider above.');
  return value;
}
