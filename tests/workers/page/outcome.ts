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

/** What a network made of what it was given, and who ran it. */
export interface Inferred<Values> {
  readonly provider: string;
  readonly notices: readonly string[];
  readonly values: Values;
}
