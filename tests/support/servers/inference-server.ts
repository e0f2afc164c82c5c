import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Tensor, type TensorSpec, tensorOf } from '../../../models/core/runtime/tensor.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

/**
 * Small server of the Open Inference Protocol v2, written from the specification, not for our client. It serves
 * one model on onnxruntime.
 */

export interface InferenceServer {
  readonly url: string;
  /** Number of inferences completed. */
  readonly inferences: number;
  /** Number of requests that wait for ever. */
  readonly held: number;
  /** Limit on responses; further requests wait for ever. */
  answersMax: number;
  stop(): Promise<void>;
}

const DATATYPES = {
  float32: 'FP32',
  float16: 'FP16',
  uint8: 'UINT8',
  int32: 'INT32',
  int64: 'INT64',
} as const;

export async function startInferenceServer(model: Uint8Array<ArrayBuffer>): Promise<InferenceServer> {
  const { signal } = new AbortController();
  const session = await onnxProvider('cpu', async () => model).open(signal);
  let inferences = 0;
  let held = 0;
  let answersMax = Number.POSITIVE_INFINITY;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (request.url === '/v2/models/matte' && request.method === 'GET') {
      const head = {
        name: 'matte',
        inputs: session.inputs.map(describe),
        outputs: session.outputs.map(describe),
      };
      return void response.end(JSON.stringify(head));
    }
    if (request.url !== '/v2/models/matte/infer')
      return void response.writeHead(404).end('{"error":"not found"}');
    if (inferences >= answersMax) {
      held += 1;
      return;
    }
    const jsonBytes = Number(request.headers['inference-header-content-length']);
    const body = Buffer.concat(parts);
    const { outputs: wanted } = JSON.parse(body.subarray(0, jsonBytes).toString()) as RequestHead;
    const names = wanted?.map(({ name }) => name);
    const given = readTensors(body, jsonBytes);
    const outputs = await session.run(given, signal, names).catch(({ message }: Error) => message);
    if (typeof outputs === 'string')
      return void response.writeHead(500).end(JSON.stringify({ error: outputs }));
    inferences += 1;
    sendTensors(response, outputs);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/models/matte`,
    get inferences() {
      return inferences;
    },
    get held() {
      return held;
    },
    get answersMax() {
      return answersMax;
    },
    set answersMax(count) {
      answersMax = count;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await session.release();
    },
  };
}

function describe({ name, type, dims }: TensorSpec): object {
  return { name, datatype: DATATYPES[type], shape: dims.map((size) => size ?? -1) };
}

interface RequestHead {
  readonly inputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: number[];
    readonly parameters: { readonly binary_data_size: number };
  }[];
  /** All of them when absent. */
  readonly outputs?: readonly { readonly name: string }[];
}

function sendTensors(response: ServerResponse, tensors: Readonly<Record<string, Tensor>>): void {
  const head = JSON.stringify({
    model_name: 'matte',
    outputs: Object.entries(tensors).map(([name, { type, dims, data }]) => ({
      name,
      datatype: DATATYPES[type],
      shape: dims,
      parameters: { binary_data_size: data.byteLength },
    })),
  });
  response.writeHead(200, { 'Inference-Header-Content-Length': Buffer.byteLength(head) });
  response.write(head);
  for (const { data } of Object.values(tensors)) response.write(new Uint8Array(data.buffer));
  response.end();
}

function readTensors(body: Buffer, jsonBytes: number): Record<string, Tensor> {
  const { inputs } = JSON.parse(body.subarray(0, jsonBytes).toString()) as RequestHead;
  let offset = jsonBytes;
  const tensors: Record<string, Tensor> = {};
  for (const { name, datatype, shape, parameters } of inputs) {
    const [type] = Object.entries(DATATYPES).find(([, known]) => known === datatype) ?? [];
    const end = offset + parameters.binary_data_size;
    tensors[name] = tensorOf(type as keyof typeof DATATYPES, shape, body.subarray(offset, end));
    offset = end;
  }
  return tensors;
}
