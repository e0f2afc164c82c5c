/** Param of an operation, as a flag. */
export interface ParamFlag {
  readonly kind: 'text' | 'number' | 'boolean' | 'list';
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  readonly initial?: string;
  readonly description: string;
}

export interface OperationFlags {
  readonly title: string;
  readonly summary: string;
  readonly params: Readonly<Record<string, ParamFlag>>;
}
