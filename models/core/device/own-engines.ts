import { listFiles, type OperationEngine } from './fit.ts';

/** Operation, as far as its engines go. */
interface EngineOwner {
  readonly engines?: readonly OperationEngine[];
  readonly engineList?: readonly OperationEngine[];
}

/** Returns the engines of an operation with all of their files; none for an operation that has only one way. */
export function listOwnEngines({ engines, engineList = engines }: EngineOwner): readonly OperationEngine[] {
  return engineList ?? [];
}

/** Licence of what has no weights, or weights of our own. */
const OWN_LICENCE = 'Our own';

/** Names the licences of an engine's weights: `MIT, CC-BY-4.0`. */
export function describeLicences(engine: OperationEngine): string {
  const names = new Set(listFiles(engine).map(({ licence }) => licence.name));
  return names.size === 0 ? OWN_LICENCE : [...names].join(', ');
}

/**
 * Names the licences of the engines that made a result.
 * @param engine as stored with a result: `matte on cpu`, or several of these with commas
 * @returns null for codecs, which write no result of their own, and where the engine is not known
 */
export function findEngineLicence(operation: EngineOwner | undefined, engine: unknown): string | null {
  if (!operation || typeof engine !== 'string') return null;
  const ids = engine.split(', ').map((each) => each.split(' on ')[0]);
  const ran = listOwnEngines(operation).filter(({ id }) => ids.includes(id));
  const licences = new Set(ran.map(describeLicences));
  return licences.size === 0 ? null : [...licences].join(', ');
}
