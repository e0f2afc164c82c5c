import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../../models/registry.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { applyPricing, readPricingFile } from '../../../../server/base/pricing.ts';
import { writePricingFile } from '../../../support/service/pricing-file.ts';

it('TERMS_FILE: replaces the prices, limits and credit that it names, and no others', async () => {
  const path = await writePricingFile({
    prices: { upscale: { megapixel: '0.004' }, 'audio-diarize': { second: 0.01 } },
    limits: { ACCOUNT_STORAGE_GB: 7, RATE_LIMIT_BURST: 9 },
    free_credit_usd: '1.50',
  });
  const env = readEnv({ TERMS_FILE: path, RATE_LIMIT_BURST: '11' });
  expect(env).toMatchObject({ ACCOUNT_STORAGE_GB: 7, RATE_LIMIT_BURST: 11, ACCOUNT_UPLOADS_MAX: 2000 });
  expect(env.TERMS.freeCredit).toBe(1_500_000n);
  const { upscale, 'audio-diarize': diarize, 'remove-bg': removeBg } = applyPricing(env.TERMS);
  expect(upscale.rates).toMatchObject({ megapixel: { amount: 4_000n }, second: { amount: 50_000n } });
  expect(upscale.rates.megapixel?.per).toBe(OPERATIONS.upscale.rates.megapixel?.per);
  const facts = { mediaType: 'audio/wav', durationSeconds: 2.5 };
  expect(diarize.price(facts, {})).toBe(30_000n);
  expect(OPERATIONS['audio-diarize'].price(facts, {})).toBe(15_000n);
  expect(removeBg.rates).toEqual(OPERATIONS['remove-bg'].rates);
});

it('TERMS_FILE: none, or an empty object, leaves everything as it is', async () => {
  for (const source of [{}, { TERMS_FILE: await writePricingFile({}) }]) {
    const { TERMS } = readEnv(source);
    expect(TERMS).toEqual({ prices: {}, limits: {}, freeCredit: 0n });
    expect(applyPricing(TERMS).upscale.rates).toEqual(OPERATIONS.upscale.rates);
  }
});

it.each([
  ['{', 'cannot be read as JSON'],
  [{ price: {} }, 'terms: unknown: price. Allowed: prices, limits, free_credit_usd.'],
  [
    { prices: { 'remove-background': {} } },
    'prices: unknown: remove-background. Allowed: media-convert-image, remove-bg,',
  ],
  [{ prices: { 'remove-bg': { frame: '1' } } }, 'prices.remove-bg: unknown: frame. Allowed: image, second.'],
  [
    { prices: { upscale: { second: '-1' } } },
    'prices.upscale.second: must be an amount in US dollars from 0.000001 to 1000',
  ],
  [
    { prices: { upscale: { second: 0 } } },
    'prices.upscale.second: must be an amount in US dollars from 0.000001 to 1000',
  ],
  [
    { prices: { upscale: { second: '0.0000001' } } },
    'prices.upscale.second: must be an amount in US dollars',
  ],
  [{ prices: { upscale: { second: null } } }, 'prices.upscale.second: '],
  [{ free_credit_usd: 1e9 }, 'free_credit_usd: must be an amount in US dollars from 0 to 1000'],
  [{ limits: { PORT: 80 } }, 'limits: unknown: PORT. Allowed: ACCOUNT_REQUESTS_MAX,'],
  [{ limits: { ACCOUNT_UPLOADS_MAX: 'many' } }, 'limits.ACCOUNT_UPLOADS_MAX: must be a number.'],
])('TERMS_FILE: refuses %j, and says where and what is allowed', async (terms, fault) => {
  const path = await writePricingFile(terms);
  expect(() => readPricingFile(path)).toThrow(`TERMS_FILE: ${path}`);
  expect(() => readPricingFile(path)).toThrow(fault);
});

it('TERMS_FILE: a limit that its variable does not allow, or a file that is not there, stops the start', async () => {
  const path = await writePricingFile({ limits: { ACCOUNT_UPLOADS_MAX: 0 } });
  expect(() => readEnv({ TERMS_FILE: path })).toThrow('ACCOUNT_UPLOADS_MAX');
  expect(() => readEnv({ TERMS_FILE: '/nowhere/terms.json' })).toThrow('/nowhere/terms.json cannot be read');
});
