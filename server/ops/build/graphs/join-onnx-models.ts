import { bytes, fieldsOf, message, type WireField } from './protobuf.ts';

// Numbers of fields in onnx.proto.
const MODEL = { graph: 7, operatorSet: 8, functions: 25 } as const;
const OPERATOR_SET = { domain: 1, version: 2 } as const;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
const NODE = { output: 2, attribute: 5 } as const;
const ATTRIBUTE = { graph: 6, graphs: 11 } as const;
const INITIALIZER = { name: 8 } as const;
const PORT = { name: 1 } as const;

/**
 * Joins two ONNX models into one: outputs of the first feed the second's inputs of their names, and an input that both
 * have is one. The second's outputs and settings are those of the whole. The same models give the same bytes.
 * @throws RangeError when a message cannot be read, the models' operator sets differ, an output of the first feeds
 *   nothing, two tensors have the same name, or a model has functions or nested graphs
 */
export function joinOnnxModels(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const [before, after] = [readModel(first), readModel(second)];
  if (before.operatorSets !== after.operatorSets)
    throw new RangeError('the operator sets of the models differ');
  const given = before.inputs.map(nameOfPort);
  const fed = before.outputs.map(nameOfPort);
  const taken = after.inputs.map(nameOfPort);
  const idle = fed.find((name) => !taken.includes(name));
  if (idle !== undefined) throw new RangeError(`${idle}: is no input of the second model`);
  const more = taken.filter((name) => !fed.includes(name) && !given.includes(name));
  const others = [...given, ...before.tensors];
  const twice =
    after.tensors.find((name) => others.includes(name)) ?? more.find((name) => others.includes(name));
  if (twice !== undefined) throw new RangeError(`${twice}: is a tensor of both models`);
  const inputs = [...before.inputs, ...after.inputs.filter((port) => more.includes(nameOfPort(port)))];
  const parts = [...before.body, ...after.body, ...inputs, ...after.outputs];
  const graph = message(...parts.map(({ raw }) => raw), ...after.settings.map(({ raw }) => raw));
  return new Uint8Array(
    message(...after.fields.map((field) => (field.number === MODEL.graph ? bytes(7, graph) : field.raw))),
  );
}

interface ReadModel {
  readonly fields: readonly WireField[];
  /** Operator sets, as a text that is equal where they are. */
  readonly operatorSets: string;
  readonly inputs: readonly WireField[];
  readonly outputs: readonly WireField[];
  /** Nodes, constants and what is known of tensors between them. */
  readonly body: readonly WireField[];
  /** Other fields of the graph, such as its name. */
  readonly settings: readonly WireField[];
  /** Names of the tensors that nodes compute or that the file holds. Outputs that a node leaves out have none. */
  readonly tensors: readonly string[];
}

function readModel(model: Uint8Array): ReadModel {
  const fields = fieldsOf(model);
  const graph = fields.find(({ number }) => number === MODEL.graph);
  if (!graph) throw new RangeError('the model has no graph');
  const parts = fieldsOf(graph.value);
  const only = (...numbers: readonly number[]) => parts.filter(({ number }) => numbers.includes(number));
  const nodes = only(GRAPH.node);
  const attributes = nodes.flatMap((node) => valuesOf(node, NODE.attribute).map(fieldsOf)).flat();
  const isNested = attributes.some(({ number }) => number === ATTRIBUTE.graph || number === ATTRIBUTE.graphs);
  if (isNested || fields.some(({ number }) => number === MODEL.functions))
    throw new RangeError('the model has functions or nested graphs');
  const [inputs, outputs] = [only(GRAPH.input), only(GRAPH.output)];
  const body = only(GRAPH.node, GRAPH.initializer, GRAPH.valueInfo);
  return {
    fields,
    operatorSets: operatorSetsOf(fields),
    inputs,
    outputs,
    body,
    settings: parts.filter((part) => ![...body, ...inputs, ...outputs].includes(part)),
    tensors: [
      ...nodes.flatMap((node) => valuesOf(node, NODE.output)),
      ...only(GRAPH.initializer).flatMap((constant) => valuesOf(constant, INITIALIZER.name)),
    ]
      .map(String)
      .filter(Boolean),
  };
}

function operatorSetsOf(fields: readonly WireField[]): string {
  const sets = fields.filter(({ number }) => number === MODEL.operatorSet);
  return sets
    .map((set) => {
      const version = fieldsOf(set.value).find(({ number }) => number === OPERATOR_SET.version);
      return `${valuesOf(set, OPERATOR_SET.domain)} ${version?.integer}`;
    })
    .join();
}

function nameOfPort(port: WireField): string {
  return String(valuesOf(port, PORT.name));
}

/** Returns the bytes of each field of a number in a message. */
function valuesOf({ value }: WireField, number: number): readonly Buffer[] {
  return fieldsOf(value)
    .filter((field) => field.number === number)
    .map((field) => field.value);
}
