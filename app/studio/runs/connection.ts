interface Connection {
  readonly saveData?: boolean;
  /** Only some browsers report it. */
  readonly type?: string;
}

/** Reports whether data costs the visitor: nothing large is downloaded by itself then. */
export function isMetered(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: Connection };
  return connection?.saveData === true || connection?.type === 'cellular';
}
