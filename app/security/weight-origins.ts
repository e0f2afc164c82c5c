// Written by `npm run generate` from the weights' cards. Do not edit.

/** Origins from which a browser may fetch weights itself. */
export const WEIGHT_ORIGINS: readonly string[] = [
  'https://huggingface.co',
  'https://*.huggingface.co',
  'https://*.hf.co',
  'https://media.githubusercontent.com',
];
