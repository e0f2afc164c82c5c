import { describe, expect, test } from 'vitest';
import {
  addStep,
  changeStep,
  type Draft,
  EMPTY_DRAFT,
  listSources,
  moveStep,
  removeStep,
  setOutput,
  toJson,
  toRecipeName,
} from '../../../app/studio/recipes/draft.ts';
import { readRecipe } from '../../../app/studio/recipes/read-recipe.ts';
import { TOOLS } from '../../../app/studio/tools/tools.ts';
import { SHIPPED_RECIPES } from '../../../models/pipeline/recipes.ts';

const { 'remove-bg': cutTool, 'media-convert-image': convertTool, 'image-moderation': moderateTool } = TOOLS;

const built = [convertTool, convertTool].reduce<Draft>(
  (draft, tool) => addStep(draft, tool, { to_format: 'webp' }),
  addStep(EMPTY_DRAFT, cutTool),
);
const describeSteps = ({ steps }: Draft) => steps.map(({ id, from }) => `${id} < ${from}`);

describe('a recipe that is built', () => {
  test('chains image tools, and lets a check read the input', () => {
    expect(describeSteps(addStep(built, moderateTool))).toEqual([
      'remove-bg < input',
      'convert < remove-bg',
      'convert-2 < convert',
      'moderate < input',
    ]);
  });

  test('joins the steps around a removed one', () => {
    expect(describeSteps(removeStep(built, 'convert'))).toEqual([
      'remove-bg < input',
      'convert-2 < remove-bg',
    ]);
  });

  test('never lets a step read a later one', () => {
    expect(describeSteps(moveStep(built, 'convert-2', -1))).toEqual([
      'remove-bg < input',
      'convert-2 < remove-bg',
      'convert < remove-bg',
    ]);
    expect(moveStep(built, 'remove-bg', -1)).toBe(built);
    expect(listSources(built, 'convert')).toEqual(['input', 'remove-bg']);
  });

  test('follows a step with a new name in its readers and outputs', () => {
    const named = changeStep(setOutput(built, 'convert', true), 'convert', { id: 'shop' });
    expect(describeSteps(named)).toEqual(['remove-bg < input', 'shop < remove-bg', 'convert-2 < shop']);
    expect(named.outputs).toEqual(['shop', 'convert-2']);
    expect(setOutput(named, 'shop', false).outputs).toBeUndefined();
    expect(removeStep(named, 'shop').outputs).toEqual(['convert-2']);
  });
});

describe('the JSON of a recipe', () => {
  test.each(SHIPPED_RECIPES.map((recipe) => [recipe.name, recipe] as const))(
    'of %s is the same after it was read',
    (_, { steps, outputs }) => {
      const recipe = JSON.parse(JSON.stringify({ steps, outputs }));
      expect(JSON.parse(JSON.stringify(toJson(readRecipe(JSON.stringify(recipe)))))).toEqual({
        ...recipe,
        steps: recipe.steps.map(({ params, ...step }: { params: object }) => ({
          ...step,
          ...(Object.keys(params).length > 0 && { params }),
        })),
      });
    },
  );

  test.each([
    ['{', 'This is not JSON'],
    ['[]', 'must be an object'],
    ['{}', 'steps: required'],
    ['{"steps":[{"id":"a","operation":"paint"}]}', 'steps[0].operation: must be one of convert'],
    [
      '{"steps":[{"id":"a","operation":"convert","params":{"to_format":"webp","width":0}}]}',
      'steps[0].params.width',
    ],
    ['{"steps":[{"id":"a","operation":"convert","from":"b","params":{"to_format":"png"}}]}', 'steps[0].from'],
  ])('%s is refused with the field that is wrong', (text, message) => {
    expect(() => readRecipe(text)).toThrow(message);
  });

  test('has a name that a preset may have', () => {
    expect(['Shop photos 2', ' 3 Größen!', '—'].map(toRecipeName)).toEqual(['shop-photos-2', 'gr-en', '']);
  });
});
