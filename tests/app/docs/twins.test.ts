import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseChangelog, parseSpans, splitVersions } from '../../../app/docs/changelog/parse-changelog.ts';
import { htmlToMarkdown, TWIN_PATHS } from '../../../app/docs/read-twin.ts';
import { GET as getLlms } from '../../../app/llms.txt/route.ts';

describe('the Markdown twin of a page', () => {
  it('has its headings, text, lists, code and links', () => {
    const html = `<html><body><nav>Menu</nav><main id="main"><h1>Jobs &amp; polling</h1>
<p>Send <code>X-Webhook-URL</code>, see <a class="x" href="/docs/errors">errors</a>.</p>
<section><h2 id="a">States</h2><dl><div><dt><code>QUEUED</code></dt><dd>Waiting.</dd></div></dl>
<ul><li><a href="https://example.com/?a=1&amp;b=2">Out</a></li></ul>
<pre><code><span>curl   x \\
  -d &#x27;{}&#x27;</span></code></pre><button>Copy</button><script>no()</script></section></main><footer>End</footer></body></html>`;
    expect(htmlToMarkdown(html, 'https://d.example')).toBe(`# Jobs & polling

Send \`X-Webhook-URL\`, see [errors](https://d.example/docs/errors).

## States

- \`QUEUED\`: Waiting.

- [Out](https://example.com/?a=1&b=2)

\`\`\`
curl   x \\
  -d '{}'
\`\`\`
`);
  });

  it('is empty for a page without a main part', () => {
    expect(htmlToMarkdown('<p>x</p>', 'https://d.example')).toBe('\n');
  });

  it('stands in llms.txt for at least eight pages', async () => {
    const response = getLlms();
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const links = [...(await response.text()).matchAll(/\/docs\/([a-z-]+)\.md\)/g)].map(([, page]) => page);
    expect(links.length).toBeGreaterThanOrEqual(8);
    expect(links.map((page) => `/docs/${page}`)).toEqual(TWIN_PATHS);
  });
});

describe('the changelog', () => {
  it('is read as headings, lists and paragraphs', () => {
    const blocks = parseChangelog('# A\n\nSome\ntext.\n\n### B\n\n- one\n  more\n- two\n');
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'A' },
      { kind: 'paragraph', text: 'Some text.' },
      { kind: 'heading', level: 3, text: 'B' },
      { kind: 'list', items: ['one more', 'two'] },
    ]);
  });

  it('is split into its versions, without what stands before them', () => {
    const versions = splitVersions(
      parseChangelog('# A\n\nSome text.\n\n## 2\n\n### B\n\n- one\n\n## 1\n\nOld.\n'),
    );
    expect(
      versions.map((blocks) => blocks.map((block) => ('text' in block ? block.text : block.items))),
    ).toEqual([
      ['2', 'B', ['one']],
      ['1', 'Old.'],
    ]);
  });

  it('is read as code, bold text and links', () => {
    expect(parseSpans('**A** `b` [c](https://d) e')).toEqual([
      { kind: 'bold', text: 'A' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'b' },
      { kind: 'text', text: ' ' },
      { kind: 'link', text: 'c', href: 'https://d' },
      { kind: 'text', text: ' e' },
    ]);
  });

  it('of the repository has dates', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8');
    const blocks = parseChangelog(text);
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1, text: 'Changelog' });
    const items = blocks.flatMap((block) => (block.kind === 'list' ? block.items : []));
    expect(items.some((item) => /^\*\*\d{4}-\d\d-\d\d\*\*/.test(item))).toBe(true);
  });
});
