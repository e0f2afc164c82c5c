/** Engine that made a result, and the execution provider that its model ran on. */
export interface EngineName {
  readonly id: string;
  /** Absent for an engine without a model. */
  readonly provider?: string | undefined;
}

/** Names the engine of a result: `matte on wasm`. */
export function nameEngine({ id, provider }: EngineName): string {
  return provider === undefined ? id : `${id} on ${provider}`;
}

/** Reads the engines of a result: `matte on wasm`, or several of these with commas. */
export function readEngineNames(engine: string): EngineName[] {
  return engine.split(', ').map((name) => {
    const [id = '', provider] = name.split(' on ');
    return { id, provider };
  });
}
