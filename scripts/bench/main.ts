/**
 * `npm run bench`: every figure is a ratio against a bare library in the same run, on the same machine. A suite is loaded
 * when it is wanted: what others load makes the heap larger, and its garbage slower to collect.
 */
const SUITES: Readonly<Record<string, () => Promise<void>>> = {
  convert: async () => (await import('./convert.ts')).benchConvert(),
  browser: async () => (await import('./browser.ts')).benchBrowser(),
  'remove-bg': async () => (await import('./remove-bg.ts')).benchRemoveBg(),
  pages: async () => (await import('./pages.ts')).benchPages(),
};

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  if (wanted[0] === 'quality') {
    const { benchQuality } = await import('./quality/main.ts');
    return benchQuality(wanted.slice(1));
  }
  const unknown = wanted.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    const known = [...Object.keys(SUITES), 'quality'].join(', ');
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
