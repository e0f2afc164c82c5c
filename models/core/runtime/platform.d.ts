// What the browser and Node have in common and models/ may use. Each realm brings its own full types; this file
// is seen only by models/tsconfig.json, so anything beyond this list fails the type check there.

interface BlobOptions {
  type?: string;
}

interface Blob {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  slice(start?: number, end?: number, contentType?: string): Blob;
  text(): Promise<string>;
}
declare var Blob: {
  new (parts?: Array<Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | string>, options?: BlobOptions): Blob;
};

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

declare function setTimeout(act: () => void, delayMs: number): number;
declare function clearTimeout(timer: number): void;

declare var crypto: { getRandomValues<T extends Uint8Array>(array: T): T };
declare var performance: { now(): number };

/** Decodes base64 to a string of which each character is a byte. */
declare function atob(base64: string): string;

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean });
  decode(bytes: Uint8Array): string;
}
declare class URL {
  constructor(url: string);
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  static canParse(url: string): boolean;
}
declare class WritableStream<Chunk> {
  constructor(sink: { write(chunk: Chunk): void | Promise<void> });
}
