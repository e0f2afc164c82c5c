import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { OperationError } from '../../models/errors.ts';
import type { Operation, OutputFile } from '../../models/operation.ts';
import { readEnv } from '../env.ts';
import { openInference } from '../runtime/inference/index.ts';
import { createNodeRuntime } from '../runtime/node-runtime.ts';
import type { ChildMessage, Done, Failed, ProducedFile, RunRequest } from './protocol.ts';

/** A process that runs operations one at a time. It is told what to do over IPC, and may be killed at any moment. */

const PROGRESS_EVERY_MS = 100;
/** Kept from run to run, with its warm sessions. */
const inference = openInference(readEnv());

/**
 * Ends this process when its parent is gone. From a thread of its own, since the main one may be deep in a decoder
 * and then hears neither the closed channel nor a signal's handler.
 */
function dieWithParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);`;
  new Worker(watch, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
  process.on('disconnect', () => process.exit());
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

async function run(operations: Record<string, Operation>, request: RunRequest): Promise<Done> {
  const operation = operations[request.operationId];
  if (!operation) throw new OperationError('internal', `${request.operationId}: no such operation here`);
  let reportedAtMs = Date.now();
  const runtime = createNodeRuntime({
    // Nobody cancels from within: a run that must end is ended with its process.
    signal: new AbortController().signal,
    inference,
    attachments: await openAll(request.attachmentPaths),
    onProgress(fraction) {
      if (Date.now() - reportedAtMs < PROGRESS_EVERY_MS) return;
      reportedAtMs = Date.now();
      send({ kind: 'progress', fraction });
    },
  });
  const startedAtMs = performance.now();
  const result = await operation.execute(await openAsBlob(request.inputPath), request.params, runtime);
  const durationMs = Math.round(performance.now() - startedAtMs);
  const files: ProducedFile[] = [];
  for (const file of result.files) files.push(await write(file, request.outputDirectory));
  const { engine, warnings, details = {} } = result;
  return { kind: 'done', files, engine, warnings, details, durationMs, networkBytes: inference.bytes };
}

async function openAll(paths: Readonly<Record<string, string>>): Promise<Map<string, Blob>> {
  const opened = Object.entries(paths).map(async ([name, path]) => [name, await openAsBlob(path)] as const);
  return new Map(await Promise.all(opened));
}

async function write({ name, mediaType, blob }: OutputFile, directory: string): Promise<ProducedFile> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(blob.stream()), hashing, createWriteStream(join(directory, name)));
  return { name, mediaType, bytes: blob.size, sha256Hex: hash.digest('hex') };
}

function describe(thrown: unknown): Failed {
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  if (thrown instanceof OperationError) {
    return { kind: 'failed', code: thrown.code, message: thrown.message, detail };
  }
  if (thrown instanceof RangeError && /allocation failed/i.test(thrown.message)) {
    return {
      kind: 'failed',
      code: 'unprocessable',
      message: 'The file needs more memory than a run may use. Use a smaller one.',
      detail,
    };
  }
  return { kind: 'failed', code: 'internal', message: 'an internal error ended the run', detail };
}

dieWithParent();
const [, , operationsModule = ''] = process.argv;
const { OPERATIONS } = (await import(operationsModule)) as { OPERATIONS: Record<string, Operation> };
process.on('message', (request: RunRequest) => {
  run(OPERATIONS, request).then(send, (thrown: unknown) => send(describe(thrown)));
});
send({ kind: 'ready' });
