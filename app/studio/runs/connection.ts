interface Connection {
  readonly saveData?: boolean;
  /** Only some browsers report it. */
  readonly type?: string;
}

/**
 * Reports whether data costs the visitor: nothing large is downloaded by itself then. Pages are also rendered on the
 * server, where Node 20 has no navigator.
 */
export function isMetered(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly connection?: Connection } };
  const connection = navigator?.connection;
  return connection?.saveData === true || connection?.type === 'cellular';
}
