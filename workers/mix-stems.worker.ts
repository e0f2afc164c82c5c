import { expose } from 'comlink';
import { mixStems } from '../models/audio-separate-stems/mix-stems.ts';
import type { MixStemsWorker } from './mix-stems.ts';
import { toOutcome } from './protocol.ts';
import { createWebRuntime } from './runtime/web-runtime.ts';

/** Ends only with this worker. */
const { signal } = new AbortController();

const worker: MixStemsWorker = {
  mix: (order, onProgress) =>
    toOutcome(() => mixStems(order, createWebRuntime({ attachments: new Map(), signal, onProgress }))),
};

expose(worker);
