import { expose } from 'comlink';
import { createProgressMeter, type ReportProgress } from '../../models/core/runtime/progress.ts';
import type { Runtime } from '../../models/core/runtime/runtime.ts';
import { toOutcome } from '../bridge/protocol.ts';
import { compareWithWasm } from '../runtime/inference/index.ts';
import type { FileMeter } from '../runtime/media/measure-file.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import type { OneShotWorker } from './one-shot.ts';

/** Ends only with this worker. */
const { signal } = new AbortController();

/** Stays for the next file where the worker does. */
let fileMeter: FileMeter | undefined;

const worker: OneShotWorker = {
  finishVideo: (files, edits, onProgress) =>
    toOutcome(async () => {
      const { finishVideo } = await import('../../models/operations/remove-bg/finish-video.ts');
      return await finishVideo(files, edits, openRuntime(onProgress));
    }),
  measureFile: (file, options, onProgress) =>
    toOutcome(async () => {
      const { FileMeter } = await import('../runtime/media/measure-file.ts');
      fileMeter ??= new FileMeter();
      return await fileMeter.measure(file, options, { signal, meter: createProgressMeter(onProgress) });
    }),
  measurePeaks: (file, onProgress) =>
    toOutcome(async () => {
      const { decodePeaks } = await import('../../models/media/audio/decode-peaks.ts');
      return await decodePeaks(file, openRuntime(onProgress));
    }),
  previewFill: (file, params) =>
    toOutcome(async () => {
      const { previewFill } = await import('../../models/operations/extend/preview-fill.ts');
      return await previewFill(file, params, openRuntime());
    }),
  readSubjectMask: (file) =>
    toOutcome(async () => {
      const { readSubjectMask } = await import('../../models/operations/extend/subject-mask.ts');
      return await readSubjectMask(file, openRuntime());
    }),
  readThumbnail: (file) =>
    toOutcome(async () => {
      const { readThumbnail } = await import('../../models/media/image/read-thumbnail.ts');
      return await readThumbnail(file, openRuntime());
    }),
  mixStems: (request, onProgress) =>
    toOutcome(async () => {
      const { mixStems } = await import('../../models/operations/stems/mix-stems.ts');
      return await mixStems(request, openRuntime(onProgress));
    }),
  compareProviders: (runs) => toOutcome(() => compareWithWasm(runs, signal)),
};

expose(worker);

function openRuntime(onProgress: ReportProgress = () => {}): Runtime {
  return createWebRuntime({ attachments: new Map(), signal, onProgress });
}
