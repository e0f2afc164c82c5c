import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import Link from 'next/link';
import type { Category, Severity } from '../../../models/moderation/categories.ts';
import type { OperationId } from '../../../models/registry.ts';
import { AUDIO_DIARIZE_WEIGHTS } from '../../../models/weights/audio-diarize.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from '../../../models/weights/audio-separate-stems.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../../models/weights/image-moderation.ts';
import { REMOVE_BG_WEIGHTS } from '../../../models/weights/remove-bg.ts';
import { UPSCALE_WEIGHTS } from '../../../models/weights/upscale.ts';
import { formatBytes, formatChange } from '../../text/quantities.ts';
import { KITTEN } from '../files/samples.ts';
import { CATEGORY_NAMES, SEVERITY_NAMES } from '../safety/verdict.ts';
import { groupTools, type ToolGroup } from '../tools/tool-groups.ts';
import type { Tool } from '../tools/tools.ts';
import { Example, VerdictExample } from './example.tsx';
import verdict from './kitten-verdict.json' with { type: 'json' };
import styles from './tool-grid.module.css';
import { TypicalTime } from './typical-time.tsx';

/** Facts about the examples. */
const FACTS: Readonly<Partial<Record<OperationId, () => Promise<string> | string>>> = {
  'media-convert-image': async () => {
    const [before, after] = await Promise.all([sizeOf(KITTEN.url), sizeOf(KITTEN.resultUrl)]);
    return `JPG ${formatBytes(before)} → AVIF ${formatBytes(after)} · ${formatChange(before, after)}`;
  },
  'image-moderation': () =>
    `${verdictWords()} · by the model of ${formatBytes(IMAGE_MODERATION_WEIGHTS['nsfw-mobilenet'].bytes)} that comes with Darkroom`,
  upscale: () =>
    `by the model of ${formatBytes(UPSCALE_WEIGHTS['upscale-x2'].bytes)} that comes with Darkroom`,
  'audio-diarize': () => {
    const { 'silero-vad': speech, speakers, overlap } = AUDIO_DIARIZE_WEIGHTS;
    return `by models of ${formatBytes(speech.bytes + speakers.bytes + overlap.bytes)} that come with Darkroom`;
  },
  'audio-separate-stems': () =>
    `by the model of ${formatBytes(AUDIO_SEPARATE_STEMS_WEIGHTS.stems.bytes)} that comes with Darkroom`,
  'image-outpaint': () => 'from patches of the image itself, without a model',
  'remove-bg': () => `by the model of ${formatBytes(REMOVE_BG_WEIGHTS.matte.bytes)} that comes with Darkroom`,
};

/** All tools by medium, each under its first one, with a result that the product made. */
export function ToolGrid() {
  const groups = groupTools();
  return (
    <section aria-labelledby="tools">
      <h2 id="tools">Tools</h2>
      {groups.map((group, place) => {
        const earlier = groups.slice(0, place).flatMap(({ tools }) => tools);
        const tools = group.tools.filter((tool) => !earlier.includes(tool));
        return tools.length > 0 && <Medium key={group.medium} group={{ ...group, tools }} />;
      })}
    </section>
  );
}

function Medium({ group: { medium, title, tools } }: { readonly group: ToolGroup }) {
  return (
    <section aria-labelledby={`grid-${medium}`} className={styles.medium}>
      <h3 id={`grid-${medium}`}>{title}</h3>
      <ul>
        {tools.map((tool) => (
          <li key={tool.slug}>
            <Card tool={tool} isAlsoForVideo={medium !== 'video' && tool.takes.includes('video')} />
          </li>
        ))}
      </ul>
    </section>
  );
}

async function Card({ tool, isAlsoForVideo }: { readonly tool: Tool; readonly isAlsoForVideo: boolean }) {
  const { operationId, slug, name, promise, sample } = tool;
  const facts = [await FACTS[operationId]?.(), isAlsoForVideo && 'also for video'].filter(Boolean);
  return (
    <>
      <div className={styles.result}>
        {operationId === 'image-moderation' ? (
          <VerdictExample sample={sample} />
        ) : (
          <Example sample={sample} />
        )}
      </div>
      <h4>
        <Link href={`/${slug}`}>{name}</Link>
      </h4>
      <p>{promise}</p>
      <p className="facts">{facts.join(' · ')}</p>
      <TypicalTime operationId={operationId} />
    </>
  );
}

/** Words the product's own verdict on the sample: `Sexual: Safe`. */
function verdictWords(): string {
  const found = verdict.categories as readonly { category: Category; severity: Severity }[];
  return found
    .map(({ category, severity }) => `${CATEGORY_NAMES[category]}: ${SEVERITY_NAMES[severity]}`)
    .join(', ');
}

async function sizeOf(publicUrl: string): Promise<number> {
  return (await stat(join(process.cwd(), 'public', publicUrl))).size;
}
