import { z } from 'zod';
import type { Provider, ProviderSession } from '../../../models/core/inference/provider-chain.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import {
  getTensor,
  type Tensor,
  type TensorSpec,
  type TensorType,
} from '../../../models/core/runtime/tensor.ts';
import { createTimeoutSignal } from '../../base/signals.ts';

/** Open Inference Protocol v2 over REST, with its binary tensor data extension: KServe, Triton, OpenVINO, Ray Serve. */

const DATATYPES: Readonly<Record<string, TensorType>> = {
  FP32: 'float32',
  FP16: 'float16',
  UINT8: 'uint8',
  INT32: 'int32',
  INT64: 'int64',
};
const DATATYPE_OF = Object.fromEntries(
  Object.entries(DATATYPES).map(([datatype, type]) => [type, datatype]),
) as Record<TensorType, string>;

const portSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  shape: z.array(z.coerce.number().int()),
});
const metadataSchema = z.object({ inputs: z.array(portSchema), outputs: z.array(portSchema) });
const inferenceSchema = z.object({
  outputs: z.array(
    portSchema.extend({ parameters: z.object({ binary_data_size: z.number().int().min(0) }) }),
  ),
});
type OutputHead = z.output<typeof inferenceSchema>['outputs'][number];

const JSON_BYTES = 'inference-header-content-length';
const METADATA_SECONDS_MAX = 10;
/** Leaves a run, which may take at least 300 seconds, time to continue with the next provider. */
const INFERENCE_SECONDS_MAX = 100;
/** Statuses of a server that is away, or of the proxy before it. */
const AWAY: readonly number[] = [502, 503, 504];
let client: ReturnType<typeof loadClient> | undefined;
/** Returns a client for servers. Most installations have none: they do not wait for its code either. */
function openClient() {
  client ??= loadClient();
  return client;
}

async function loadClient() {
  const { Agent, request } = await import('undici');
  return { request, dispatcher: new Agent({ connect: { timeout: 5_000 } }) };
}

/**
 * Opens an inference server.
 * @param url of a served model: `http://host:8000/v2/models/<name>`
 */
export function openInferenceProvider(url: string): Provider {
  return {
    // Customers read this: the server's location is the operator's business.
    name: 'inference server',
    async open(signal) {
      const { body } = await sendRequest(url, { method: 'GET', secondsMax: METADATA_SECONDS_MAX, signal });
      const { inputs, outputs } = metadataSchema.parse(JSON.parse(body.toString('utf8')));
      return {
        inputs: inputs.map(getPort),
        outputs: outputs.map(getPort),
        run: (feeds, signal, wanted) => infer(url, { feeds, wanted }, signal),
        release: async () => {},
      } satisfies ProviderSession;
    },
  };
}

interface InferenceOrder {
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** Names of the outputs; all when absent. */
  readonly wanted: readonly string[] | undefined;
}

async function infer(
  url: string,
  { feeds, wanted }: InferenceOrder,
  signal: AbortSignal,
): Promise<Record<string, Tensor>> {
  const inputs = Object.entries(feeds).map(([name, { type, dims, data }]) => ({
    name,
    datatype: DATATYPE_OF[type],
    shape: dims,
    parameters: { binary_data_size: data.byteLength },
  }));
  const outputs = wanted && { outputs: wanted.map((name) => ({ name })) };
  const head = Buffer.from(JSON.stringify({ inputs, ...outputs, parameters: { binary_data_output: true } }));
  const tensors = Object.values(feeds).map(({ data }) =>
    Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  );
  const response = await sendRequest(`${url}/infer`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', [JSON_BYTES]: String(head.length) },
    body: Buffer.concat([head, ...tensors]),
    secondsMax: INFERENCE_SECONDS_MAX,
    signal,
  });
  return readOutputs(response.body, response.jsonBytes ?? response.body.length);
}

/** Reads the JSON header, then each output's bytes in the header's order. */
function readOutputs(body: Buffer, jsonBytes: number): Record<string, Tensor> {
  const { outputs } = inferenceSchema.parse(JSON.parse(body.subarray(0, jsonBytes).toString('utf8')));
  let offset = jsonBytes;
  const tensors = outputs.map((output): [string, Tensor] => {
    const end = offset + output.parameters.binary_data_size;
    if (end > body.length) throw new RangeError(`${output.name} ends after the response`);
    const tensor = getTensor(getType(output), output.shape, body.subarray(offset, end));
    offset = end;
    return [output.name, tensor];
  });
  return Object.fromEntries(tensors);
}

function getPort(port: z.output<typeof portSchema>): TensorSpec {
  return { name: port.name, type: getType(port), dims: port.shape.map((size) => (size < 0 ? null : size)) };
}

function getType({ name, datatype }: Pick<OutputHead, 'name' | 'datatype'>): TensorType {
  const type = DATATYPES[datatype];
  if (!type) throw new RangeError(`${name} has the datatype ${datatype}, which is not supported`);
  return type;
}

interface InferRequest {
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  /** Limit for the whole response. */
  readonly secondsMax: number;
  readonly signal: AbortSignal;
}

interface InferResponse {
  readonly body: Buffer;
  readonly jsonBytes: number | null;
}

async function sendRequest(
  url: string,
  { secondsMax, signal, ...request }: InferRequest,
): Promise<InferResponse> {
  const inTime = createTimeoutSignal(secondsMax * 1000, signal);
  const { statusCode, headers, bytes } = await exchange(url, { ...request, signal: inTime }).catch(
    (cause) => {
      signal.throwIfAborted();
      // In our own words: the system's contain the address.
      const reason = inTime.aborted ? `no response within ${secondsMax} seconds` : 'the connection failed';
      throw new OperationError('unavailable', `${reason}.`, { cause, kind: 'server_unreachable' });
    },
  );
  if (AWAY.includes(statusCode)) {
    throw new OperationError('unavailable', `it responded ${statusCode}.`, { kind: 'server_unreachable' });
  }
  if (statusCode !== 200) {
    throw new Error(`it responded ${statusCode}: ${bytes.toString('utf8').slice(0, 200)}`);
  }
  const jsonBytes = headers[JSON_BYTES];
  return { body: bytes, jsonBytes: jsonBytes === undefined ? null : Number(jsonBytes) };
}

async function exchange(url: string, options: Omit<InferRequest, 'secondsMax'>) {
  const { request, dispatcher } = await openClient();
  const { statusCode, headers, body } = await request(url, { dispatcher, ...options });
  return { statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}
