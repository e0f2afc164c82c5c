import { mapRecord } from '../records.ts';

export const MEGABYTE = 1_000_000;

/** File of weights that a run used. */
export interface UsedWeights {
  readonly id: string;
  /** In hex. */
  readonly sha256: string;
}

export interface Licence {
  /** SPDX name where there is one. */
  readonly name: string;
  /** Obligation that using the weights creates, beyond keeping the notice. */
  readonly consequence?: string;
  /** Doubt about use in a paid service. Absent: the licence allows it. */
  readonly commercial?: 'unclear' | 'no';
}

/** Card of one weight file, pinned by its SHA-256: source, licence and needs. */
export interface WeightCard {
  readonly id: string;
  /** The specification's model_id of the operation that uses it. */
  readonly operation: string;
  /** Purpose, in a few words. */
  readonly role: string;
  /** URL where the file is published, or `null` when it ships with this package, in `models/weights/`. */
  readonly url: string | null;
  /** null: unknown before the first response. */
  readonly bytes: number | null;
  readonly sha256: string;
  /** Further names under which the file is handed on. */
  readonly otherNames?: readonly string[];
  readonly licence: Licence;
  /** Precision of the graph's arithmetic. WebGPU runs `fp16` only where the adapter has `shader-f16`. */
  readonly precision: 'fp32' | 'fp16' | 'int8' | 'int4' | null;
  /** Upper estimate of a running session's memory with weights and activations. */
  readonly memoryBytes: number;
  /** Whether its session gives back the memory of a run, as those of large models do: kept, it would be much more. */
  readonly returnsMemory?: boolean;
  /** Whether the publisher sends no CORS headers, so that a browser gets the file through our server. */
  readonly needsRelay?: boolean;
}

/** Returns the cards of an operation's files by their ids. @param operation its model_id in the specification */
export function weightCards<
  const Operation extends string,
  const Files extends Readonly<Record<string, Omit<WeightCard, 'id' | 'operation'>>>,
>(
  operation: Operation,
  files: Files,
): { readonly [Id in keyof Files]: { readonly id: Id; readonly operation: Operation } & Files[Id] };
export function weightCards(
  operation: string,
  files: Readonly<Record<string, Omit<WeightCard, 'id' | 'operation'>>>,
): Readonly<Record<string, WeightCard>> {
  return mapRecord(files, (file, id) => ({ id, operation, ...file }));
}

/** Size up to which a browser fetches a file without asking its visitor, and only from our own server. */
const SMALL_BYTES_MAX = 8_000_000;

/** Reports whether a browser gets a file from our own server alone: it is small, or its publisher refuses browsers. */
export function isRelayed({ needsRelay = false, bytes }: WeightCard): boolean {
  return needsRelay || (bytes !== null && bytes <= SMALL_BYTES_MAX);
}

/** Reports whether a browser asks its visitor before it fetches a file: it is large, or its licence is in doubt. */
export function needsConsent({ bytes, licence }: WeightCard): boolean {
  return bytes === null || bytes > SMALL_BYTES_MAX || licence.commercial !== undefined;
}

/** Returns the file's name in a store: unique in the catalogue. */
export function weightFileName(card: WeightCard): string {
  const flat = card.id.replaceAll('/', '-');
  return /\.[a-z]+$/.test(flat) ? flat : `${flat}${/\.[a-z]+$/.exec(card.url ?? '')?.[0] ?? '.onnx'}`;
}

/** Returns the names under which a mirror may hold the file: ours first, then the publisher's, then others. */
export function mirrorNames(card: WeightCard): readonly string[] {
  const published = card.url?.split('/').at(-1);
  return [...new Set([weightFileName(card), ...(published ? [published] : []), ...(card.otherNames ?? [])])];
}

/** Compares the byte count only: reading finds a damaged file. */
export function isComplete({ bytes }: WeightCard, bytesStored: number): boolean {
  return bytes === null ? bytesStored > 0 : bytesStored === bytes;
}
