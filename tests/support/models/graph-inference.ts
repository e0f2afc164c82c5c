import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Acceptance, measureEngine } from '../../../models/acceptance/measure-engine.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { OPERATIONS, type OperationId } from '../../../models/registry.ts';
import { NodeInference } from '../../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';

type Graphs = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

const ROOT = join(import.meta.dirname, '../../..');

/** Reads a bundled graph. */
export async function readBundledGraph(id: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(join(ROOT, 'models/weights', `${id}.onnx`)));
}

/** Creates an inference that runs given graphs in place of those of their cards, and the bundled ones. */
export function createGraphInference(graphs: Graphs): Inference {
  return new NodeInference({
    endpoints: new Map(),
    memoryBytesMax: 4e9,
    weights: {
      has: async ({ id, url }) => id in graphs || url === null,
      mayFetch: async () => false,
      read: async ({ id }) => graphs[id] ?? (await readBundledGraph(id)),
    },
  });
}

/** Measures an engine on the acceptance samples with given graphs. */
export async function measureWith(
  operation: OperationId,
  engine: string,
  graphs: Graphs,
): Promise<Acceptance> {
  const inference = createGraphInference(graphs);
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const sample = (name: string) => openAsBlob(join(ROOT, 'public/acceptance', name));
  return await measureEngine(OPERATIONS[operation], engine, { runtime, sample });
}
