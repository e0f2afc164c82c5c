import { expect, it } from 'vitest';
import { splitPage } from '../../../app/docs/read-twin.ts';
import { searchDocs } from '../../../app/docs/search/search-docs.ts';

const PAGE = `<html><nav>webhook</nav><main><h1>Webhooks</h1><p>Let us call you.</p>
  <section><h2 id="ask">Ask for a webhook</h2><p>Send it (<code>X-Webhook-URL</code>) &amp; wait. A cached result sends one.</p><p>Request: Ask for a webhook</p><pre>curl -H "X-Webhook-URL: …"</pre></section>
  <section><h2 id="verify" class="x">Check the <b>signature</b></h2><script>secret()</script><dl><dt><code>webhook-id</code></dt><dd>The same, always.<code>text</code></dd></dl><p>Use the secret.</p></section><p class="n">Next: <a href="/docs/own-bucket">Own bucket</a></p></main></html>`;

const sections = splitPage(PAGE, { href: '/docs/webhooks', name: 'Webhooks' });

it('a page is split at its headings, into the words that it shows', () => {
  expect(sections).toEqual([
    {
      href: '/docs/webhooks',
      page: 'Webhooks',
      title: 'Webhooks',
      text: 'Let us call you.',
      passages: ['Let us call you.'],
    },
    {
      href: '/docs/webhooks#ask',
      page: 'Webhooks',
      title: 'Ask for a webhook',
      text: 'Send it (X-Webhook-URL) & wait. A cached result sends one. Request: Ask for a webhook curl -H "X-Webhook-URL: …"',
      passages: ['Send it (X-Webhook-URL) & wait. A cached result sends one.'],
    },
    {
      href: '/docs/webhooks#verify',
      page: 'Webhooks',
      title: 'Check the signature',
      text: 'webhook-id The same, always. text Use the secret.',
      passages: ['webhook-id: The same, always.', 'Use the secret.'],
    },
  ]);
});

it('a search finds the sections with all of its words or their beginnings, those in headings first', () => {
  const find = (query: string) => searchDocs(sections, query).map(({ title }) => title);
  expect(find('cached webhook')).toEqual(['Ask for a webhook']);
  expect(find('X-Webhook-URL')).toEqual(['Ask for a webhook']);
  expect(find('webhook sign')).toEqual(['Check the signature']);
  expect(find('SECRET')).toEqual(['Check the signature']);
  expect(find('webhooks')[0]).toBe('Webhooks');
  expect(find('Does a cached result send a webhook?')).toEqual(['Ask for a webhook']);
  expect(find('which')).toEqual([]);
  expect(find('how do I use the unicorn')).toEqual([]);
  expect(find('unicorn')).toEqual([]);
  expect(find('  ?! ')).toEqual([]);
});

it('a match shows the sentence with most of its words, never code or titles', () => {
  const find = (query: string) => searchDocs(sections, query).map(({ excerpt }) => excerpt);
  expect(find('cached webhook')).toEqual(['A cached result sends one.']);
  expect(find('curl')).toEqual(['Send it (X-Webhook-URL) & wait. A cached result sends one.']);
  expect(find('webhook-id')).toEqual(['webhook-id: The same, always.']);
});

it('an excerpt goes on while there is room, and ends with a sentence or between words', () => {
  const getExcerpt = (passage: string) => {
    const section = { href: '/docs/x', page: 'X', title: 'X', text: passage, passages: ['First.', passage] };
    return searchDocs([section], 'needle')[0]?.excerpt;
  };
  expect(getExcerpt('Before it. A needle. After it, e.g. thread. More.')).toBe(
    'A needle. After it, e.g. thread. More.',
  );
  const long = getExcerpt(`A needle ${'and more '.repeat(60)}.`);
  expect(long).toMatch(/^A needle and more .* (and|more) …$/);
  expect(long?.length).toBeLessThan(230);
  expect(getExcerpt(`A needle.${' After.'.repeat(60)}`)).toHaveLength(100);
});
