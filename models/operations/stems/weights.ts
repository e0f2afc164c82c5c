import { MEGABYTE, weightCards } from '../../core/runtime/weight-card.ts';

/** By the author (facebookresearch/demucs, issues 327 and 508), though mirrors call them MIT. */
const RESEARCH_ONLY = {
  name: 'Research only',
  consequence: 'The author provides the weights for scientific purposes only: the code is MIT, they are not.',
  commercial: 'no',
} as const;

/** Returns the card of one network of Spleeter: one for each stem. */
const spleeterCard = (stem: string, sha256: string) =>
  ({
    role: '4 stems, small, for every device',
    url: `https://huggingface.co/Best-Practice/spleeter-4stems-onnx/resolve/486643021f18a4d057d282fff1d11b89a30e9887/${stem}.fp16.onnx`,
    // About 19.7 MB: its publisher states no size.
    bytes: null,
    sha256,
    // By the authors' paper (Hennequin et al., JOSS 2020), models included; the conversion is Apache-2.0.
    licence: { name: 'MIT AND Apache-2.0' },
    precision: 'fp16',
    // Measured on a network of the same shape: 640 MB for all four, and 1,050 MB where they keep the memory of a run.
    memoryBytes: 170 * MEGABYTE,
    returnsMemory: true,
  }) as const;

/** Weights of `audio-separate-stems`. */
export const AUDIO_SEPARATE_STEMS_WEIGHTS = weightCards('audio-separate-stems', {
  stems: {
    role: '4 stems, small',
    url: null,
    bytes: 6_299_632,
    sha256: '067e37636d1e4a7ddc8ee92d9fa2d4ae9b3d28f0ca51c5d28320b96c68bad778',
    licence: {
      name: 'CC-BY-3.0 AND CC-BY-4.0',
      consequence: 'The recordings it was trained on must be named.',
    },
    precision: 'fp32',
    memoryBytes: 150 * MEGABYTE,
  },
  'htdemucs-fp16': {
    role: '4 stems',
    url: 'https://huggingface.co/StemSplitio/htdemucs-onnx/resolve/d54ed9eb60e258ea82131c6ee14578628816456a/htdemucs_fp16weights.onnx',
    bytes: 165_612_636,
    sha256: 'd05c269d0178d2a72ad484b10b11dd370193fc923201c3b27a99f848745db70a',
    licence: RESEARCH_ONLY,
    precision: 'fp16',
    memoryBytes: 2500 * MEGABYTE,
  },
  htdemucs: {
    role: '4 stems, fp32',
    url: 'https://huggingface.co/StemSplitio/htdemucs-onnx/resolve/d54ed9eb60e258ea82131c6ee14578628816456a/htdemucs.onnx',
    bytes: 316_446_953,
    sha256: '68d0bf16428ef66e692cdff8a9ccf28f1ef3f69440d57e58605a4cc55fcc5e74',
    licence: RESEARCH_ONLY,
    precision: 'fp32',
    memoryBytes: 3000 * MEGABYTE,
  },
  'spleeter-4stems-fp16/vocals': spleeterCard(
    'vocals',
    'db47148ab1c52709ce694893f532c91abfe3edc4d46238939570e036a22878ca',
  ),
  'spleeter-4stems-fp16/drums': spleeterCard(
    'drums',
    '7ae4002e5633634674f74dc3356d5875b0da894d59ce0f60e844bb8f9cb8aa92',
  ),
  'spleeter-4stems-fp16/bass': spleeterCard(
    'bass',
    'ba4c4949a27222492cca49859901a873b4b71461dc48c7c5a51f93d31eb11f55',
  ),
  'spleeter-4stems-fp16/other': spleeterCard(
    'other',
    '3cc59116cb7195946ab9596d8ca25984d09c0f8a70db8cf85d063132f97bc61d',
  ),
});
