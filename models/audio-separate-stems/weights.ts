import type { WeightCard } from '../runtime/weight-card.ts';

const MEGABYTE = 1_000_000;

/** By the author (facebookresearch/demucs, issues 327 and 508), though mirrors call them MIT. */
const RESEARCH_ONLY = {
  name: 'Research only',
  consequence: 'The author provides the weights for scientific purposes only: the code is MIT, they are not.',
  commercial: 'no',
} as const;

/** Weights of `audio-separate-stems`. */
export const AUDIO_SEPARATE_STEMS_WEIGHTS = {
  stems: {
    id: 'stems',
    operation: 'audio-separate-stems',
    role: '4 stems, small',
    url: null,
    bytes: 4_080_781,
    sha256: '3b5c2739a1e7d46102e32e32b26ff403a4fe3a37f84b0e27de64cab921a30a57',
    licence: { name: 'CC-BY-3.0', consequence: 'The recordings it was trained on must be named.' },
    precision: 'fp32',
    memoryBytes: 150 * MEGABYTE,
    needsRelay: false,
  },
  'htdemucs-fp16': {
    id: 'htdemucs-fp16',
    operation: 'audio-separate-stems',
    role: '4 stems',
    url: 'https://huggingface.co/StemSplitio/htdemucs-onnx/resolve/d54ed9eb60e258ea82131c6ee14578628816456a/htdemucs_fp16weights.onnx',
    bytes: 165_612_636,
    sha256: 'd05c269d0178d2a72ad484b10b11dd370193fc923201c3b27a99f848745db70a',
    licence: RESEARCH_ONLY,
    precision: 'fp16',
    memoryBytes: 2500 * MEGABYTE,
    needsRelay: false,
  },
  htdemucs: {
    id: 'htdemucs',
    operation: 'audio-separate-stems',
    role: '4 stems, fp32',
    url: 'https://huggingface.co/StemSplitio/htdemucs-onnx/resolve/d54ed9eb60e258ea82131c6ee14578628816456a/htdemucs.onnx',
    bytes: 316_446_953,
    sha256: '68d0bf16428ef66e692cdff8a9ccf28f1ef3f69440d57e58605a4cc55fcc5e74',
    licence: RESEARCH_ONLY,
    precision: 'fp32',
    memoryBytes: 3000 * MEGABYTE,
    needsRelay: false,
  },
} as const satisfies Record<string, WeightCard>;
