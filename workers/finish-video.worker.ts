import { expose } from 'comlink';
import { finishVideo } from '../models/remove-bg/finish-video.ts';
import type { FinishVideoWorker } from './finish-video.ts';
import { toOutcome } from './protocol.ts';
import { createWebRuntime } from './runtime/web-runtime.ts';

/** Ends only with this worker. */
const { signal } = new AbortController();

const worker: FinishVideoWorker = {
  finish: (files, look, onProgress) =>
    toOutcome(() =>
      finishVideo(files, look, createWebRuntime({ attachments: new Map(), signal, onProgress })),
    ),
};

expose(worker);
