// @module-tag long

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../models/registry.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { measureWith } from '../../support/models/graph-inference.ts';
import { type ColourAxis, FAULTS } from '../../support/models/planted-faults.ts';
import { type Splice, spliceGraph } from '../../support/models/splice-graph.ts';

interface Published {
  readonly operation: OperationId;
  readonly engine: string;
  /** Path in the shared models. */
  readonly file: string;
  /** Names of the input, and of the output that is used. */
  readonly input: string;
  readonly output: string;
  readonly axis: ColourAxis;
  /** Whether the output is the probability of a subject. */
  readonly isMatte: boolean;
}

const NETWORKS: readonly Published[] = [
  {
    operation: 'remove-bg',
    engine: 'u2netp',
    isMatte: true,
    axis: 1,
    file: 'standins/u2netp.converted.onnx',
    input: 'input.1',
    output: '1959',
  },
  {
    operation: 'remove-bg',
    engine: 'selfie-segmentation',
    isMatte: true,
    axis: 3,
    file: 'files/selfie_segmentation.onnx',
    input: 'input_1:0',
    output: 'activation_10',
  },
  {
    operation: 'upscale',
    engine: 'realesr-general-x4v3',
    isMatte: false,
    axis: 1,
    file: 'standins/realesr-general-x4v3.converted.onnx',
    input: 'data',
    output: 'output',
  },
];

describe.each(NETWORKS)('$engine', ({ operation, engine, file, input, output, axis, isMatte }) => {
  const FILE = sharedData(`models/${file}`);
  const measure = async (fault?: Splice) => {
    const graph = new Uint8Array(await readFile(FILE.path));
    return await measureWith(operation, engine, { [engine]: fault ? spliceGraph(graph, fault) : graph });
  };

  it.skipIf(FILE.isMissing)(FILE.titled('passes as it is'), async () => {
    expect(await measure()).toMatchObject({ passed: true });
  });

  const faults: readonly (readonly [string, Splice])[] = [
    ['swapped channels', FAULTS.channelsSwapped(input, axis)],
    ['a wrong mean', FAULTS.wrongMean(input, axis)],
    ['transposed axes', FAULTS.axesTransposed(input, axis)],
    ['an output that is always empty', FAULTS.alwaysEmpty(output)],
    ['an output that is always full', FAULTS.alwaysFull(output)],
    ...(isMatte
      ? ([
          ['a second sigmoid', FAULTS.sigmoidTwice(output)],
          ['no sigmoid', FAULTS.sigmoidMissing(output)],
        ] as const)
      : []),
  ];
  it.skipIf(FILE.isMissing).each(faults)(FILE.titled('fails with %s'), async (_fault, splice) => {
    expect(await measure(splice)).toMatchObject({ passed: false });
  });
});
