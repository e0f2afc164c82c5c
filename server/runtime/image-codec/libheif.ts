import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The part of the libheif-js bindings (LGPL-3.0, loaded as a separate module) that decoding takes. */
export interface Libheif {
  readonly heif_error_code: { readonly heif_error_Ok: unknown };
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: {
    readonly heif_chroma_interleaved_RGB: unknown;
    readonly heif_chroma_interleaved_RGBA: unknown;
  };
  heif_context_alloc(): object;
  heif_context_free(context: object): void;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): HeifStatus;
  heif_js_context_get_primary_image_handle(context: object): object | HeifStatus;
  heif_image_handle_get_width(handle: object): number;
  heif_image_handle_get_height(handle: object): number;
  heif_image_handle_has_alpha_channel(handle: object): number;
  heif_image_handle_release(handle: object): void;
  heif_js_decode_image2(handle: object, colorspace: unknown, chroma: unknown): HeifImage | HeifStatus;
  heif_image_release(image: object): void;
}

export interface HeifStatus {
  readonly code: unknown;
  readonly message: string;
}

export interface HeifImage {
  readonly image: object;
  readonly channels: readonly { width: number; height: number; stride: number; data: Uint8Array }[];
}

const require = createRequire(import.meta.url);
let wasmBinary: Buffer | undefined;

/** A new instance with a memory of its own, in about 30 ms. What it took comes back only when it is dropped. */
export function loadLibheif(): Libheif {
  const folder = 'libheif-js/libheif-wasm';
  wasmBinary ??= readFileSync(require.resolve(`${folder}/libheif.wasm`));
  return require(`${folder}/libheif.js`)({ wasmBinary, print: () => {}, printErr: () => {} });
}
