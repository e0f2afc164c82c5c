import type { Category, Severity } from './categories.ts';

/** Texts that an image is compared with, by the severity that they describe. */
export type Prompts = Readonly<Record<Severity, readonly string[]>>;

/** Ordinary images, for all categories: what a category's own texts must outweigh. */
const ORDINARY = [
  'a photo of a landscape',
  'a photo of a building',
  'a photo of an animal',
  'a photo of food',
  'a photo of people talking',
  'a portrait of a person',
  'a photo of a product',
  'a screenshot of a document',
  'a drawing of a cartoon character',
];

/** Texts of each category. `docs/moderation.md` explains the choice. */
export const PROMPTS: Readonly<Record<Category, Prompts>> = {
  Hate: {
    0: [...ORDINARY, 'a photo of people of many cultures together', 'a photo of a museum of history'],
    2: ['an insulting caricature of a group of people', 'a meme that mocks a group of people'],
    4: ['a protest against a group of people', 'a poster that insults a religion'],
    6: ['a photo of a nazi flag with a swastika', 'a photo of a white supremacist rally'],
  },
  SelfHarm: {
    0: [...ORDINARY, 'a photo of a thin athlete', 'a photo of a doctor treating a patient'],
    2: ['a photo of a very sad and lonely person', 'a drawing about depression'],
    4: ['a photo of an extremely underweight person', 'a photo of scars on an arm'],
    6: ['a photo of a person cutting their own wrist', 'a photo of a person attempting suicide'],
  },
  Sexual: {
    0: [...ORDINARY, 'a photo of a dressed person', 'a photo of people at the beach', 'a classical statue'],
    2: ['a photo of a person in lingerie', 'a photo of a person in a suggestive pose'],
    4: ['a photo of a naked person', 'a drawing of a naked person'],
    6: ['a photo of people having sex', 'a pornographic image', 'an explicit hentai drawing'],
  },
  Violence: {
    0: [...ORDINARY, 'a photo of a sports match', 'a photo of a kitchen knife on a table'],
    2: ['a photo of a person with a gun', 'a photo of people arguing angrily'],
    4: ['a photo of people fighting and hurting each other', 'a photo of a person with a bleeding wound'],
    6: ['a photo of a dead body with blood and gore', 'a photo of a person being killed'],
  },
};
