import { parseArgs } from 'node:util';
import { judgeConvert } from './convert.ts';
import { judgeDiarize } from './diarize.ts';
import { judgeOutpaint } from './outpaint.ts';
import { judgeRemoveBg } from './remove-bg.ts';
import { judgeStems } from './stems.ts';
import { judgeUpscale } from './upscale.ts';

const JUDGES: Readonly<Record<string, (sheets: string | null) => Promise<void>>> = {
  convert: judgeConvert,
  diarize: judgeDiarize,
  outpaint: judgeOutpaint,
  'remove-bg': judgeRemoveBg,
  stems: judgeStems,
  upscale: judgeUpscale,
};

/**
 * Judges results on images with known truth: `quality [OPERATION...] [--sheets FOLDER]`.
 * @throws Error naming an operation without a judge
 */
export async function benchQuality(args: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { sheets: { type: 'string' } },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(JUDGES);
  for (const name of names) {
    const judge = JUDGES[name];
    if (!judge) throw new Error(`${name}: is not judged. There are: ${Object.keys(JUDGES).join(', ')}`);
    await judge(values.sheets ?? null);
  }
}
