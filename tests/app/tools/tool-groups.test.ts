import { expect, it } from 'vitest';
import type { Tool } from '../../../app/studio/tools/tool.ts';
import { groupTools, TOOL_LIST, TOOLS } from '../../../app/studio/tools/tools.ts';
import { OPERATIONS } from '../../../models/registry.ts';

const taking = (name: string, ...takes: Tool['takes']): Tool => ({ ...TOOLS['remove-bg'], name, takes });
const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);

it('lists a tool once, under the first medium that it takes, and leaves out media that no tool takes', () => {
  const groups = groupTools([taking('Still', 'image'), taking('Both', 'image', 'video')]);
  expect(groups.map(({ title, tools }) => [title, names(tools)])).toEqual([['Image', ['Still', 'Both']]]);
});

it('lists a tool that reads the sound of a video under Sound', () => {
  const groups = groupTools([taking('Talk', 'audio', 'video')]);
  expect(groups.map(({ title, tools }) => [title, names(tools)])).toEqual([['Sound', ['Talk']]]);
});

it('lists every tool of the studio', () => {
  const listed = groupTools().flatMap(({ tools }) => tools);
  expect(listed).toHaveLength(TOOL_LIST.length);
  expect(new Set(listed)).toEqual(new Set(TOOL_LIST));
});

it.each(TOOL_LIST)('$slug has the name of its operation', ({ operationId, name }) => {
  expect(name).toBe(OPERATIONS[operationId].title);
});
