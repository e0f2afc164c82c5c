import { expose } from 'comlink';
import { finishVideo } from '../../models/remove-bg/finish-video.ts';
import { toOutcome } from '../bridge/protocol.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import type { FinishVideoWorker } from './finish-video.ts';

/** Ends only with this worker. */
const { signal } = new AbortController();

const worker: FinishVideoWorker = {
  finish: (files, edits, onProgress) =>
    toOutcome(() =>
      finishVideo(files, edits, createWebRuntime({ attachments: new Map(), signal, onProgress })),
    ),
};

expose(worker);
