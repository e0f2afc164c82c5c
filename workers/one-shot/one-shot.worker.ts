import { expose } from 'comlink';
import { mapRecord } from '../../models/core/records.ts';
import { createProgressMeter, type ReportProgress } from '../../models/core/runtime/progress.ts';
import type { Runtime } from '../../models/core/runtime/runtime.ts';
import { toOutcome } from '../bridge/protocol.ts';
import { compareWithWasm } from '../runtime/inference/index.ts';
import type { FileMeter } from '../runtime/media/measure-file.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import type { OneShotArgs, OneShotCalls } from './one-shot.ts';

/** Ends only with this worker. */
const { signal } = new AbortController();

/** Stays for the next file where the worker does. */
let fileMeter: FileMeter | undefined;

type Calls = {
  readonly [Kind in keyof OneShotCalls]: (
    ...args: OneShotArgs<Kind>
  ) => Promise<ReturnType<OneShotCalls[Kind]>>;
};

const calls: Calls = {
  async finishVideo(files, edits, onProgress) {
    const { finishVideo } = await import('../../models/operations/remove-bg/finish-video.ts');
    return await finishVideo(files, edits, openRuntime(onProgress));
  },
  async measureFile(file, options, onProgress) {
    const { FileMeter } = await import('../runtime/media/measure-file.ts');
    fileMeter ??= new FileMeter();
    return await fileMeter.measure(file, options, { signal, meter: createProgressMeter(onProgress) });
  },
  async measurePeaks(file, onProgress) {
    const { decodePeaks } = await import('../../models/media/audio/decode-peaks.ts');
    return await decodePeaks(file, openRuntime(onProgress));
  },
  async previewFill(file, params, onProgress) {
    const { previewFill } = await import('../../models/operations/extend/preview-fill.ts');
    return await previewFill(file, params, openRuntime(onProgress));
  },
  async readSubjectMask(file, onProgress) {
    const { readSubjectMask } = await import('../../models/operations/extend/subject-mask.ts');
    return await readSubjectMask(file, openRuntime(onProgress));
  },
  async readThumbnail(file, onProgress) {
    const { readThumbnail } = await import('../../models/media/image/read-thumbnail.ts');
    return await readThumbnail(file, openRuntime(onProgress));
  },
  async mixStems(request, onProgress) {
    const { mixStems } = await import('../../models/operations/stems/mix-stems.ts');
    return await mixStems(request, openRuntime(onProgress));
  },
  compareProviders: (runs) => compareWithWasm(runs, signal),
};

expose(
  mapRecord(
    calls,
    (call: (...args: never[]) => Promise<unknown>) =>
      (...args: never[]) =>
        toOutcome(() => call(...args)),
  ),
);

function openRuntime(onProgress: ReportProgress): Runtime {
  return createWebRuntime({ attachments: new Map(), signal, onProgress });
}
