import { expect, it } from 'vitest';
import { FORMER_SLUGS, RECORDING_SLUGS } from '../../../app/studio/tools/addresses.ts';
import { TOOL_LIST } from '../../../app/studio/tools/tools.ts';

const SLUGS = TOOL_LIST.map(({ slug }) => slug);

it('every former path leads to the page of a tool, and is none', () => {
  for (const [former, slug] of Object.entries(FORMER_SLUGS)) {
    expect(SLUGS).toContain(slug);
    expect(SLUGS).not.toContain(former);
  }
});

it('the pages of the tools that read sound, and no others, record', () => {
  const reading = TOOL_LIST.filter(({ takes }) => takes.includes('audio'));
  expect([...RECORDING_SLUGS].toSorted()).toEqual(reading.map(({ slug }) => slug).toSorted());
});
