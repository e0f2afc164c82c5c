'use client';

import { useEffect, useState } from 'react';
import { pause } from '../../../models/core/concurrency.ts';
import { getMessage, OperationError } from '../../../models/core/operation/errors.ts';
import type { OutputFile, RunResult } from '../../../models/core/operation/run-result.ts';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import { runOperation } from '../../../workers/operation/run-operation.ts';
import { describeFailure, describeMessages } from '../failures/describe-failure.ts';
import { type Draft, toJson } from './draft.ts';
import {
  findFailedStep,
  findStepFile,
  type KnownStep,
  keySteps,
  type PreviewRun,
  planPreview,
} from './plan-preview.ts';

/** Pause after the last change before its results are made. */
const PAUSE_MS = 500;

/** Result of a step on the file of the page. */
export interface StepResult extends KnownStep {
  readonly files: readonly OutputFile[];
  readonly warnings: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
  /** Reason why it failed. */
  readonly failure?: string;
}

export interface Preview {
  /** Results by step, of earlier params until newer ones are there. */
  readonly results: ReadonlyMap<string, StepResult>;
  /** Steps whose results are of the present recipe. */
  readonly isCurrent: (id: string) => boolean;
  /** Progress of the run under way. */
  readonly progress: Progress | undefined;
}

const NONE: ReadonlyMap<string, StepResult> = new Map();

/** Numbers of files, which tell those of the same name apart. */
const numbers = new WeakMap<Blob, number>();
let filesSoFar = 0;

function nameInput(file: Blob): string {
  const number = numbers.get(file) ?? ++filesSoFar;
  numbers.set(file, number);
  return String(number);
}

/** Runs the steps of a recipe on a file as soon as they change, each only where its result is not known yet. */
export function usePreview(draft: Draft, file: File | undefined, isValid: boolean): Preview {
  const [results, setResults] = useState(NONE);
  const [progress, setProgress] = useState<Progress>();
  const keys = keySteps(draft, file ? nameInput(file) : '');
  const wanted = JSON.stringify([...keys]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys hold all that the results depend on
  useEffect(() => {
    // The run before has been aborted, and reports no end.
    if (!file || !isValid) return setProgress(undefined);
    const ending = new AbortController();
    const { signal } = ending;
    const onProgress = (next: Progress) => !signal.aborted && setProgress(next);
    const makeMissing = async () => {
      await pause(PAUSE_MS, signal);
      let known = results;
      for (;;) {
        const [run] = planPreview(draft, keys, known);
        if (!run) break;
        const made = await makeResults(run, { file, keys, known, signal, onProgress });
        signal.throwIfAborted();
        known = new Map([...known, ...made]);
        setResults(known);
      }
    };
    makeMissing()
      .catch(() => {})
      .finally(() => !signal.aborted && setProgress(undefined));
    return () => ending.abort();
  }, [wanted, file, isValid]);
  return { results, isCurrent: (id) => results.get(id)?.key === keys.get(id), progress };
}

interface PreviewOptions {
  readonly file: File;
  readonly keys: ReadonlyMap<string, string>;
  readonly known: ReadonlyMap<string, StepResult>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Runs some steps and returns their results, failed ones included. Rejects only once the signal aborts. */
async function makeResults(
  run: PreviewRun,
  { file, keys, known, signal, onProgress }: PreviewOptions,
): Promise<ReadonlyMap<string, StepResult>> {
  const ids = run.steps.map(({ id }) => id);
  const fail = (failed: readonly string[], thrown: unknown): ReadonlyMap<string, StepResult> => {
    // Steps are named by the page.
    const failure =
      thrown instanceof OperationError && !thrown.kind
        ? thrown.message.replace(/^steps(\.[a-z\d-]+|\[\d+\])[:.] ?/, '')
        : describeFailure(thrown);
    const result = { isFailed: true, files: [], warnings: [], details: {}, failure };
    return new Map(failed.map((id) => [id, { ...result, key: keys.get(id) ?? '' }]));
  };
  try {
    const source = findSource(run, file, known);
    const { steps } = toJson({ steps: run.steps });
    const result = await runOperation('pipeline', source, { steps, outputs: ids }, { signal, onProgress });
    return new Map(
      ids.map((id) => [id, { ...pickResult(result, id), key: keys.get(id) ?? '', isFailed: false }]),
    );
  } catch (thrown) {
    signal.throwIfAborted();
    const failed = findFailedStep(getMessage(thrown), run);
    return fail(failed === undefined ? ids : [failed], thrown);
  }
}

/** @throws OperationError for a file that the step does not give */
function findSource({ source }: PreviewRun, file: File, known: ReadonlyMap<string, StepResult>): Blob {
  const [id = '', chosen = ''] = source.split('/');
  if (id === 'input') return file;
  const found = findStepFile(known.get(id)?.files ?? [], source);
  if (!found) throw new OperationError('bad_request', `${id} gives no file ${chosen}.`);
  return found.blob;
}

/** Returns the part of a run's result that a step made. */
function pickResult({ files, details }: RunResult, id: string): Omit<StepResult, 'key' | 'isFailed'> {
  const { [id]: own = {} } = (details?.steps ?? {}) as Readonly<Record<string, Record<string, unknown>>>;
  const { files: names, warnings, ...rest } = own;
  const isOwn = ({ name }: OutputFile) => Array.isArray(names) && names.includes(name);
  return {
    // Typed, since the page tells images from sound by it.
    files: files
      .filter(isOwn)
      .map((file) => ({ ...file, blob: file.blob.slice(0, file.blob.size, file.mediaType) })),
    warnings: Array.isArray(warnings) ? describeMessages(warnings.map(String)) : [],
    details: rest,
  };
}
