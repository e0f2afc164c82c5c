import Link from 'next/link';
import type { Tool } from '../tools/tool.ts';
import { ToolLink } from '../tools/tool-link.tsx';
import { groupTools, type ToolGroup } from '../tools/tools.ts';
import { describeExample } from './describe-example.ts';
import { Example, VerdictExample } from './example.tsx';
import styles from './tool-grid.module.css';
import { TypicalTime } from './typical-time.tsx';

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
      <p>
        <Link href="/recipes">Recipes</Link> run several tools, one after the other, over a whole folder.
      </p>
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
  const { operationId, slug, name, promise, sample, measured, example = {} } = tool;
  const facts = [...(await describeExample(sample, example)), ...(isAlsoForVideo ? ['also for video'] : [])];
  return (
    <>
      <div className={styles.result}>
        {example.isVerdict ? <VerdictExample sample={sample} /> : <Example sample={sample} />}
      </div>
      <h4>
        <ToolLink slug={slug} operationId={operationId}>
          {name}
        </ToolLink>
      </h4>
      <p>{promise}</p>
      <p className="facts">{facts.join(' · ')}</p>
      <TypicalTime operationId={operationId} measured={measured} />
    </>
  );
}
