export interface Licence {
  /** SPDX name where there is one. */
  readonly name: string;
  /** What using the weights asks of the user, beyond keeping the notice. */
  readonly consequence?: string;
}

/** One file of weights, pinned by its SHA-256: where it comes from, what it may be used for, and what it needs. */
export interface WeightCard {
  readonly id: string;
  /** The specification's model_id of the operation that uses it. */
  readonly operation: string;
  /** What it is for, in a few words. */
  readonly role: string;
  /** Where the file is published, or `null` when it comes with this package, in `models/weights/`. */
  readonly url: string | null;
  /** null: not known before the first answer. */
  readonly bytes: number | null;
  readonly sha256: string;
  readonly licence: Licence;
  /** What the graph computes in. WebGPU runs `fp16` only where the adapter has `shader-f16`. */
  readonly precision: 'fp32' | 'fp16' | 'int8' | 'int4' | null;
  /** A running session's memory with weights and activations, estimated from above. */
  readonly memoryBytes: number;
  /** The publisher sends no CORS headers, so a browser gets the file through our server. */
  readonly needsRelay: boolean;
}

/** The file's name in a store: unique in the catalogue. */
export function weightFileName(card: WeightCard): string {
  const flat = card.id.replaceAll('/', '-');
  return /\.[a-z]+$/.test(flat) ? flat : `${flat}${/\.[a-z]+$/.exec(card.url ?? '')?.[0] ?? '.onnx'}`;
}

/** The names under which a mirror may hold the file: ours first, then the publisher's. */
export function mirrorNames(card: WeightCard): readonly string[] {
  const published = card.url?.split('/').at(-1);
  return [...new Set([weightFileName(card), ...(published ? [published] : [])])];
}

/** By the number of bytes alone: a file that only looks whole is found out when it is read. */
export function isWhole({ bytes }: WeightCard, bytesStored: number): boolean {
  return bytes === null ? bytesStored > 0 : bytesStored === bytes;
}
