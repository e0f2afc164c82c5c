import { MEGABYTE, weightCards } from '../core/runtime/weight-card.ts';

/** Weights of `image-moderation`. */
export const IMAGE_MODERATION_WEIGHTS = weightCards('image-moderation', {
  'clip-vit-b32-vision-uint8': {
    role: 'image encoder',
    url: 'https://huggingface.co/Xenova/clip-vit-base-patch32/resolve/d15189d7028b43f1d3e65039190477f6af591c2a/onnx/vision_model_uint8.onnx',
    bytes: 88_648_915,
    sha256: 'b95448754a6ae56964ec80c570c80bb9863787ee85f51b664abed8c0e5f22a7a',
    licence: { name: 'MIT' },
    precision: 'int8',
    memoryBytes: 300 * MEGABYTE,
  },
  'clip-vit-b32-text-q4': {
    role: 'text encoder',
    url: 'https://huggingface.co/Xenova/clip-vit-base-patch32/resolve/d15189d7028b43f1d3e65039190477f6af591c2a/onnx/text_model_q4.onnx',
    bytes: null,
    sha256: 'e4ccd15d806b8af841a036884b42034535d58e04c52df00f56e73f72d3c166d5',
    licence: { name: 'MIT' },
    precision: 'int4',
    memoryBytes: 300 * MEGABYTE,
  },
  'clip-vocab': {
    role: 'tokenizer',
    url: 'https://huggingface.co/Xenova/clip-vit-base-patch32/resolve/d15189d7028b43f1d3e65039190477f6af591c2a/vocab.json',
    bytes: 862_328,
    sha256: '5047b556ce86ccaf6aa22b3ffccfc52d391ea4accdab9c2f2407da5b742d4363',
    licence: { name: 'MIT' },
    precision: null,
    memoryBytes: 20 * MEGABYTE,
  },
  'clip-merges': {
    role: 'tokenizer',
    url: 'https://huggingface.co/Xenova/clip-vit-base-patch32/resolve/d15189d7028b43f1d3e65039190477f6af591c2a/merges.txt',
    bytes: 524_619,
    sha256: '9fd691f7c8039210e0fced15865466c65820d09b63988b0174bfe25de299051a',
    licence: { name: 'MIT' },
    precision: null,
    memoryBytes: 20 * MEGABYTE,
  },
  'nsfw-vit-int8': {
    role: 'Sexual',
    url: 'https://huggingface.co/AdamCodd/vit-base-nsfw-detector/resolve/e661a152c8bd88c8564e535799f35e0b25646dd1/onnx/model_int8.onnx',
    bytes: 88_649_314,
    sha256: '7b0682f68da83a16c8125ac658cd5b452cccdcc3c747846b129fc47b7807689c',
    licence: { name: 'Apache-2.0' },
    precision: 'int8',
    memoryBytes: 400 * MEGABYTE,
  },
  'nsfw-mobilenet': {
    role: 'Sexual',
    // MobileNetV2 of the package nsfwjs, converted by the build.
    url: null,
    bytes: 2_791_924,
    sha256: '5d3ba87709d3192d683fb169a9bed17bda7b14438f94d5b25b350894b3197b98',
    licence: { name: 'MIT' },
    precision: 'fp32',
    memoryBytes: 120 * MEGABYTE,
  },
});
