import type { WeightCard } from './weight-card.ts';

const MEGABYTE = 1_000_000;

/** Weights of `audio-diarize`. */
export const AUDIO_DIARIZE_WEIGHTS = {
  'silero-vad': {
    id: 'silero-vad',
    operation: 'audio-diarize',
    role: 'speech detection',
    // The file of the package @ricky0123/vad-web, copied by the build.
    url: null,
    bytes: 2_327_524,
    sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
    licence: { name: 'MIT' },
    precision: 'fp32',
    memoryBytes: 30 * MEGABYTE,
    needsRelay: false,
  },
  speakers: {
    id: 'speakers',
    operation: 'audio-diarize',
    role: 'speaker embedding',
    url: null,
    bytes: 866_528,
    sha256: '45995fed423241655bea0d50dc5e159fc9b22a696a33308cbcc66207afb637f1',
    licence: { name: 'CC-BY-SA-4.0', consequence: 'The corpora it was trained on must be named.' },
    precision: 'fp32',
    memoryBytes: 60 * MEGABYTE,
    needsRelay: false,
  },
  'pyannote-segmentation-3.0': {
    id: 'pyannote-segmentation-3.0',
    operation: 'audio-diarize',
    role: 'speaker segmentation',
    url: 'https://huggingface.co/csukuangfj/sherpa-onnx-pyannote-segmentation-3-0/resolve/9403a6902bb58e3d5ae8c7e77c3422de279db2e0/model.onnx',
    bytes: 5_992_913,
    sha256: '220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079',
    licence: { name: 'MIT' },
    precision: 'fp32',
    memoryBytes: 200 * MEGABYTE,
    needsRelay: false,
  },
  'campplus-voxceleb': {
    id: 'campplus-voxceleb',
    operation: 'audio-diarize',
    role: 'speaker embedding',
    url: 'https://huggingface.co/csukuangfj/speaker-embedding-models/resolve/0743f301363dec56491a490f6d6cbc9d67f9a3bf/3dspeaker_speech_campplus_sv_en_voxceleb_16k.onnx',
    bytes: 29_596_978,
    sha256: '357a834f702b80161e5b981182c038e18553c1f2ca752ed6cec2052365d4129b',
    licence: { name: 'Apache-2.0' },
    precision: 'fp32',
    memoryBytes: 200 * MEGABYTE,
    needsRelay: false,
  },
  'wespeaker-resnet34-lm': {
    id: 'wespeaker-resnet34-lm',
    operation: 'audio-diarize',
    role: 'speaker embedding',
    url: 'https://github.com/k2-fsa/sherpa-onnx/releases/download/speaker-recongition-models/wespeaker_en_voxceleb_resnet34_LM.onnx',
    bytes: 26_530_550,
    sha256: 'e9848563da86f263117134dfd7ad63c92355b37de492b55e325400c9d9c39012',
    licence: { name: 'CC-BY-4.0', consequence: 'Its authors must be named.' },
    precision: 'fp32',
    memoryBytes: 250 * MEGABYTE,
    needsRelay: true,
  },
} as const satisfies Record<string, WeightCard>;
