import { MEGABYTE, weightCards } from '../core/runtime/weight-card.ts';

/** Weights of the background remover, best first; those for people last. */
export const REMOVE_BG_WEIGHTS = weightCards('remove-bg', {
  'birefnet-lite-fp16': {
    role: 'any subject, best',
    url: 'https://huggingface.co/onnx-community/BiRefNet_lite-ONNX/resolve/de15b22ba131738a16dff04aab8bdf8dc32e3ac1/onnx/model_fp16.onnx',
    bytes: 114_538_221,
    sha256: 'd39b897ceb16ae654c1731f3dba0cf9b368d9cae74b5a57459b455cc8bfec402',
    licence: {
      name: 'MIT',
      consequence: 'Trained on DIS5K among others, whose terms restrict commercial use.',
      commercial: 'unclear',
    },
    precision: 'fp16',
    memoryBytes: 5000 * MEGABYTE,
  },
  'isnet-general-use': {
    role: 'any subject, large',
    url: 'https://github.com/danielgatis/rembg/releases/download/v0.0.0/isnet-general-use.onnx',
    bytes: 178_648_008,
    sha256: '60920e99c45464f2ba57bee2ad08c919a52bbf852739e96947fbb4358c0d964a',
    licence: {
      name: 'Apache-2.0',
      consequence: 'Trained on DIS5K, whose terms restrict commercial use.',
      commercial: 'unclear',
    },
    precision: 'fp32',
    memoryBytes: 1500 * MEGABYTE,
    needsRelay: true,
  },
  u2netp: {
    role: 'any subject, small',
    url: 'https://github.com/danielgatis/rembg/releases/download/v0.0.0/u2netp.onnx',
    bytes: 4_574_861,
    sha256: '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8',
    licence: { name: 'Apache-2.0' },
    precision: 'fp32',
    // Measured with what is around it: at most 360 MB, and 560 where it keeps the memory of a run, in as much time.
    memoryBytes: 300 * MEGABYTE,
    returnsMemory: true,
    needsRelay: true,
  },
  matte: {
    role: 'any subject, bundled',
    // The build joins MediaPipe's selfie segmentation, layers of nsfwjs' MobileNetV2 and own-matte.onnx, which is our
    // own.
    url: null,
    bytes: 5_318_797,
    sha256: '74cd70484ae03e334c0ef69ff10987dfa84d07033b311f4cbdd163fff0abe8a0',
    licence: {
      name: 'Our own, Apache-2.0, MIT',
      consequence:
        'Contains MediaPipe’s selfie segmentation (Apache-2.0) and layers of the MobileNetV2 of nsfwjs (MIT). Our part was trained from scratch by lab/training/matte, on DAVIS 2016 and kuih (CC BY 4.0), COCO photos (CC BY, CC BY-SA), Oxford-IIIT Pet (CC BY-SA), TrashNet, Fluent Emoji and coffee leaves (MIT), the Clothing dataset, and photos under CC0, CC BY, Unsplash and Pexels licences.',
    },
    // Stored as float16, computed as float32.
    precision: 'fp32',
    memoryBytes: 150 * MEGABYTE,
  },
  'modnet-fp16': {
    role: 'people, hair',
    url: 'https://huggingface.co/Xenova/modnet/resolve/fa2fa546052fba4c08921230a26cc69a333fca12/onnx/model_fp16.onnx',
    bytes: 12_984_781,
    sha256: '25f165da9bfd30830a575f1f0490f1acd995975cb349bc02f3d79332e1fe5cf6',
    licence: { name: 'Apache-2.0' },
    precision: 'fp16',
    memoryBytes: 500 * MEGABYTE,
  },
  'selfie-segmentation': {
    role: 'people, tiny',
    url: 'https://raw.githubusercontent.com/royshil/obs-backgroundremoval/875ffda175fcb066380b31797c63630c8b4a3c71/data/models/selfie_segmentation.onnx',
    bytes: 447_596,
    sha256: '1511ab5564cb0ae179cba9bcad6ad931003ccc71656f11fd270967023678c6a5',
    licence: {
      name: 'Apache-2.0',
      consequence: 'The weights are MediaPipe’s; the repository that carries this file is GPL-3.0.',
    },
    precision: 'fp32',
    memoryBytes: 60 * MEGABYTE,
  },
});
