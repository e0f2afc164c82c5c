/**
 * Suites of `npm run bench`: every figure is a ratio against a bare library in the same run, on the same machine.
 * Each suite is loaded on demand: other modules enlarge the heap and slow its collection.
 */
const SUITES: Readonly<Record<string, () => Promise<void>>> = {
  convert: async () => (await import('./convert.ts')).benchConvert(),
  browser: async () => (await import('./browser.ts')).benchBrowser(),
  'remove-bg': async () => (await import('./remove-bg.ts')).benchRemoveBg(),
  upscale: async () => (await import('./upscale.ts')).benchUpscale(),
  lanes: async () => (await import('./lanes.ts')).benchLanes(),
  moderation: async () => (await import('./moderation.ts')).benchModeration(),
  outpaint: async () => (await import('./outpaint.ts')).benchOutpaint(),
  pages: async () => (await import('./pages.ts')).benchPages(),
  dashboard: async () => (await import('./dashboard.ts')).benchDashboard(),
  start: async () => (await import('./start.ts')).benchStart(),
  attacks: async () => (await import('./attacks.ts')).benchAttacks(),
};

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  if (wanted[0] === 'quality') {
    const { benchQuality } = await import('./quality/main.ts');
    return benchQuality(wanted.slice(1));
  }
  if (wanted[0] === 'soak') {
    const { benchSoak } = await import('./soak/main.ts');
    return benchSoak(wanted.slice(1));
  }
  if (wanted[0] === 'scale') {
    const { benchScale } = await import('./scale/main.ts');
    return benchScale(wanted.slice(1));
  }
  const unknown = wanted.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    const known = [...Object.keys(SUITES), 'quality', 'soak', 'scale'].join(', ');
    throw new Error(`${unknown.join(', ')}: no such suite. There are: ${known}`);
  }
  for (const [name, run] of Object.entries(SUITES)) {
    if (wanted.length === 0 || wanted.includes(name)) await run();
  }
}

main().catch((cause: unknown) => {
  console.error(cause instanceof Error ? (cause.cause ?? cause.message) : cause);
  process.exit(2);
});
