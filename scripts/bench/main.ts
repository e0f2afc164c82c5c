import { benchBrowser } from './browser.ts';
import { benchConvert } from './convert.ts';

/** `npm run bench`: every figure is a ratio against a bare library in the same run, on the same machine. */
const SUITES: Readonly<Record<string, () => Promise<void>>> = {
  convert: benchConvert,
  browser: benchBrowser,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: no such suite. There are: ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(SUITES)) {
  if (wanted.length === 0 || wanted.includes(name)) await run();
}
