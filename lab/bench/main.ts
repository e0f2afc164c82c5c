import { resolve } from 'node:path';
import { writeBundledGraphs } from '../../server/ops/build/graphs/write-bundled-graphs.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Suites of `npm run bench`: every figure is a ratio against a bare library in the same run, on the same machine.
 * Each suite is loaded on demand: other modules enlarge the heap and slow its collection.
 */
const SUITES: Readonly<Record<string, () => Promise<void>>> = {
  convert: async () => (await import('./convert.ts')).benchConvert(),
  steps: async () => (await import('./steps.ts')).benchSteps(),
  peers: async () => (await import('./peers.ts')).benchPeers(),
  networks: async () => (await import('./network-floor.ts')).benchNetworkFloor(),
  browser: async () => (await import('./browser.ts')).benchBrowser(),
  parity: async () => (await import('./parity.ts')).benchParity(),
  'remove-bg': async () => (await import('./remove-bg.ts')).benchRemoveBg(),
  upscale: async () => (await import('./upscale.ts')).benchUpscale(),
  waiting: async () => (await import('./waiting.ts')).benchWaiting(),
  lanes: async () => (await import('./lanes.ts')).benchLanes(),
  moderation: async () => (await import('./moderation.ts')).benchModeration(),
  outpaint: async () => (await import('./outpaint.ts')).benchOutpaint(),
  pages: async () => (await import('./pages.ts')).benchPages(),
  dashboard: async () => (await import('./dashboard.ts')).benchDashboard(),
  start: async () => (await import('./start.ts')).benchStart(),
  probing: async () => (await import('./media/probe-times.ts')).benchProbing(),
  attacks: async () => (await import('./attacks.ts')).benchAttacks(),
};

/** Suites that take arguments, and run only by name. */
const SUITES_WITH_ARGUMENTS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  engines: async (args) => (await import('./engines/main.ts')).benchEngines(args),
  'first-results': async (args) => (await import('./first-results.ts')).benchFirstResults(args),
  media: async (args) => (await import('./media/media-matrix.ts')).benchMedia(args),
  quality: async (args) => (await import('./quality/main.ts')).benchQuality(args),
  recipes: async (args) => (await import('./recipes.ts')).benchRecipes(args),
  scale: async (args) => (await import('./scale/main.ts')).benchScale(args),
  soak: async (args) => (await import('./soak/main.ts')).benchSoak(args),
};

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const [first = '', ...args] = wanted;
  // Without a build the engines of packages would not be there.
  await writeBundledGraphs(ROOT);
  const suite = SUITES_WITH_ARGUMENTS[first];
  if (suite) return await suite(args);
  const unknown = wanted.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    const known = [...Object.keys(SUITES), ...Object.keys(SUITES_WITH_ARGUMENTS)].join(', ');
    throw new Error(`${unknown.join(', ')}: no such suite. There are: ${known}`);
  }
  for (const [name, run] of Object.entries(SUITES)) {
    if (wanted.length === 0 || wanted.includes(name)) await run();
  }
}

main().catch((cause: unknown) => {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(2);
});
