import type { GraphNode } from '../../../server/ops/build/graphs/onnx.ts';
import type { Splice } from './splice-graph.ts';

/** Axis of the colours of a tensor of images: 1, or 3 where they come last. */
export type ColourAxis = 1 | 3;

/** One number for each channel, in the shape of a tensor of images. */
const perChannel = (axis: ColourAxis, values: readonly number[]) => ({
  dims: axis === 1 ? [1, values.length, 1, 1] : [1, 1, 1, values.length],
  values,
});
const scalar = (value: number) => ({ dims: [1], values: [value] });

/** Reorders the parts along an axis. */
function reorder(axis: number, order: readonly number[]): Pick<Splice, 'nodes' | 'constants'> {
  const nodes: GraphNode[] = [
    { op: 'Cast', inputs: ['fault/order'], outputs: ['fault/indices'], attributes: { to: 7 } },
    { op: 'Gather', inputs: ['from', 'fault/indices'], outputs: ['to'], attributes: { axis } },
  ];
  return { nodes, constants: { 'fault/order': { dims: [order.length], values: order } } };
}

/** Faults that conversions of graphs have had. */
export const FAULTS = {
  /** The graph takes blue for red. */
  channelsSwapped: (port: string, axis: ColourAxis = 1) =>
    ({ port, side: 'input', ...reorder(axis, [2, 1, 0]) }) as const,
  /** ImageNet's mean and deviation, for a network that wants 0 to 1. */
  wrongMean: (port: string, axis: ColourAxis = 1) =>
    ({
      port,
      side: 'input',
      nodes: [
        { op: 'Sub', inputs: ['from', 'fault/mean'], outputs: ['fault/centred'] },
        { op: 'Div', inputs: ['fault/centred', 'fault/deviation'], outputs: ['to'] },
      ],
      constants: {
        'fault/mean': perChannel(axis, [0.485, 0.456, 0.406]),
        'fault/deviation': perChannel(axis, [0.229, 0.224, 0.225]),
      },
    }) as const,
  axesTransposed: (port: string, axis: ColourAxis = 1) =>
    ({
      port,
      side: 'input',
      nodes: [
        {
          op: 'Transpose',
          inputs: ['from'],
          outputs: ['to'],
          attributes: { perm: axis === 1 ? [0, 1, 3, 2] : [0, 2, 1, 3] },
        },
      ],
    }) as const,
  sigmoidTwice: (port: string) =>
    ({ port, side: 'output', nodes: [{ op: 'Sigmoid', inputs: ['from'], outputs: ['to'] }] }) as const,
  /** Undoes the last sigmoid. */
  sigmoidMissing: (port: string) =>
    ({
      port,
      side: 'output',
      nodes: [
        { op: 'Add', inputs: ['from', 'fault/little'], outputs: ['fault/share'] },
        { op: 'Sub', inputs: ['fault/most', 'from'], outputs: ['fault/rest'] },
        { op: 'Div', inputs: ['fault/share', 'fault/rest'], outputs: ['fault/odds'] },
        { op: 'Log', inputs: ['fault/odds'], outputs: ['to'] },
      ],
      constants: { 'fault/little': scalar(1e-6), 'fault/most': scalar(1 + 1e-6) },
    }) as const,
  labelsShuffled: (port: string, axis: number, order: readonly number[]) =>
    ({ port, side: 'output', ...reorder(axis, order) }) as const,
  alwaysEmpty: (port: string) => constant(port, 0),
  alwaysFull: (port: string) => constant(port, 1),
} as const satisfies Record<string, (...parts: never[]) => Splice>;

function constant(port: string, value: number): Splice {
  return {
    port,
    side: 'output',
    nodes: [
      { op: 'Sub', inputs: ['from', 'from'], outputs: ['fault/zero'] },
      { op: 'Add', inputs: ['fault/zero', 'fault/value'], outputs: ['to'] },
    ],
    constants: { 'fault/value': scalar(value) },
  };
}
