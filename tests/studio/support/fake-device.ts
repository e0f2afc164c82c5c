import { prependStatement, type ServedFile, serveAlteredPages } from './altered-pages.ts';

/** Facts that a browser reports about its device. Absent members are those of the test browser. */
export interface FakeDevice {
  readonly memoryGb?: number;
  /** A GPU that pages find; workers, which would use it, find none. */
  readonly hasGpu?: boolean;
  /** Storage that is left for the site. */
  readonly freeBytes?: number;
  /** State of the network, such as `{ saveData: true }`. */
  readonly connection?: object;
}

/**
 * Serves the built pages to a browser that tells other things of its device.
 * @param alter changes the bodies of the pages' server
 * @returns the URL, without a trailing slash
 */
export function servePagesWithDevice(
  { memoryGb, hasGpu, freeBytes, connection }: FakeDevice,
  alter = ({ body }: ServedFile): Buffer => body,
): Promise<string> {
  const facts: string[] = [];
  const tell = (name: string, value: string) =>
    facts.push(
      `Object.defineProperty(Kind.prototype, '${name}', { get: () => (${value}), configurable: true })`,
    );
  if (memoryGb !== undefined) tell('deviceMemory', String(memoryGb));
  if (connection) tell('connection', JSON.stringify(connection));
  if (hasGpu !== undefined) tell('gpu', `globalThis.document && ${hasGpu} ? ${GPU} : undefined`);
  const kinds = `for (const Kind of [globalThis.Navigator, globalThis.WorkerNavigator]) if (Kind) { ${facts.join('; ')} }`;
  const room = `if (globalThis.StorageManager) StorageManager.prototype.estimate = async () => ({ usage: 0, quota: ${freeBytes} })`;
  const statements = [kinds, ...(freeBytes === undefined ? [] : [room])];
  return serveAlteredPages((served) =>
    prependStatement({ ...served, body: alter(served) }, `{ ${statements.join('; ')} }`),
  );
}

const GPU = `{ requestAdapter: async () => ({ features: new Set(['shader-f16']), limits: {}, info: {} }) }`;
