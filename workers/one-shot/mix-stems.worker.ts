import { expose } from 'comlink';
import { mixStems } from '../../models/audio-separate-stems/mix-stems.ts';
import { toOutcome } from '../bridge/protocol.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import type { MixStemsWorker } from './mix-stems.ts';

/** Ends only with this worker. */
const { signal } = new AbortController();

const worker: MixStemsWorker = {
  mix: (request, onProgress) =>
    toOutcome(() => mixStems(request, createWebRuntime({ attachments: new Map(), signal, onProgress }))),
};

expose(worker);
