import { benchBrowser } from './browser.ts';
import { benchConvert } from './convert.ts';
import { benchPages } from './pages.ts';
import { benchQuality } from './quality/main.ts';
import { benchRemoveBg } from './remove-bg.ts';

/** `npm run bench`: every figure is a ratio against a bare library in the same run, on the same machine. */
const SUITES: Readonly<Record<string, () => Promise<void>>> = {
  convert: benchConvert,
  browser: benchBrowser,
  'remove-bg': benchRemoveBg,
  pages: benchPages,
};

const [first, ...rest] = process.argv.slice(2);
if (first === 'quality') {
  await benchQuality(rest).catch(fail);
} else {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !(name in SUITES));
  if (unknown.length > 0) {
    fail(
      new Error(
        `${unknown.join(', ')}: no such suite. There are: ${Object.keys(SUITES).join(', ')}, quality`,
      ),
    );
  }
  for (const [name, run] of Object.entries(SUITES)) {
    if (wanted.length === 0 || wanted.includes(name)) await run();
  }
}

function fail(cause: unknown): never {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(2);
}
