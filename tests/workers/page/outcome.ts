/** What a run came to, as plain data that leaves the page. */
export type PageOutcome =
  | {
      readonly ok: true;
      readonly mediaType: string;
      readonly engine: string;
      readonly warnings: readonly string[];
      readonly details: Readonly<Record<string, string | number>>;
      readonly base64: string;
    }
  | { readonly ok: false; readonly name: string; readonly code: string; readonly message: string };

/** What a network of the test's own made of a picture. */
export interface Prediction {
  readonly provider: string;
  readonly notices: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Opacity, 0 to 1, row by row. */
  readonly matte: readonly number[];
}
