import { expect, it } from 'vitest';
import { FORMER_SLUGS, RECORDING_SLUGS } from '../../../app/studio/tools/addresses.ts';
import { STUDIO_PATHS, TOOL_LIST } from '../../../app/studio/tools/tools.ts';

it('every former path leads to a page of the studio, and is none', () => {
  for (const [former, slug] of Object.entries(FORMER_SLUGS)) {
    expect(STUDIO_PATHS).toContain(`/${slug}`);
    expect(STUDIO_PATHS).not.toContain(`/${former}`);
  }
});

it('the pages of the tools that read sound, and no others, record', () => {
  const reading = TOOL_LIST.filter(({ takes }) => takes.includes('audio'));
  expect([...RECORDING_SLUGS].toSorted()).toEqual(reading.map(({ slug }) => slug).toSorted());
});
