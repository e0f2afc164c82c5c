import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Category, Severity } from '../../../models/moderation/categories.ts';
import { WEIGHTS } from '../../../models/registry.ts';
import { formatBytes, formatChange } from '../../ui/quantities.ts';
import type { Sample } from '../files/samples.ts';
import { CATEGORY_NAMES, SEVERITY_NAMES } from '../moderate/verdict.ts';
import type { ExampleFacts } from '../tools/tool.ts';
import verdict from './kitten-verdict.json' with { type: 'json' };

/** Describes a sample and its result in words, from the files and the weights' cards. */
export async function describeExample(
  sample: Sample,
  { formats, isVerdict, weights, note }: ExampleFacts,
): Promise<readonly string[]> {
  return [
    ...(formats ? [await describeConversion(sample, formats)] : []),
    ...(isVerdict ? [describeVerdict()] : []),
    ...(weights ? [describeWeights(weights)] : []),
    ...(note === undefined ? [] : [note]),
  ];
}

async function describeConversion(
  { url, resultUrl }: Sample,
  [from, to]: NonNullable<ExampleFacts['formats']>,
): Promise<string> {
  const [before, after] = await Promise.all([getSize(url), getSize(resultUrl)]);
  return `${from} ${formatBytes(before)} → ${to} ${formatBytes(after)} · ${formatChange(before, after)}`;
}

async function getSize(publicUrl: string): Promise<number> {
  return (await stat(join(process.cwd(), 'public', publicUrl))).size;
}

/** Words the product's own verdict on the sample: `Sexual: Safe`. */
function describeVerdict(): string {
  const found = verdict.categories as readonly { category: Category; severity: Severity }[];
  return found
    .map(({ category, severity }) => `${CATEGORY_NAMES[category]}: ${SEVERITY_NAMES[severity]}`)
    .join(', ');
}

/** @throws Error naming an unknown id */
function describeWeights(ids: readonly string[]): string {
  const sizes = ids.map((id) => {
    const bytes = WEIGHTS.find((card) => card.id === id)?.bytes;
    if (!bytes) throw new Error(`${id}: there are no weights of a known size`);
    return bytes;
  });
  const total = formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0));
  return ids.length === 1
    ? `by the model of ${total} that comes with Darkroom`
    : `by models of ${total} that come with Darkroom`;
}
