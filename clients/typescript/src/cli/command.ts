/** Command of an operation. */
export interface Command {
  readonly name: string;
  /** Names that still work, and that no list shows. */
  readonly earlierNames?: readonly string[];
  /** Follows the input's name in the name of a result; empty where the extensions differ. */
  readonly suffix: string;
  /** Extension of a result whose format no param names. */
  readonly extension?: string;
  /** Name of the first of several results. */
  readonly first?: string;
  readonly summary: string;
  readonly params: Readonly<Record<string, ParamFlag>>;
}

/** Param of an operation, as a flag. */
export interface ParamFlag {
  /** `json` is an object as JSON. */
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'json';
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** Least and greatest value of a number. */
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  /** Regular expression of a text. */
  readonly pattern?: string;
  readonly initial?: string;
  readonly description: string;
}
