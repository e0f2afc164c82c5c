import { z } from 'zod';
import { fieldError, OperationError } from '../../../models/core/operation/errors.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { listOutputs } from '../../../models/pipeline/recipes.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import type { Actor } from '../../identity/keys/index.ts';
import {
  deletePreset as deleteSaved,
  findPreset,
  listPresets as listSaved,
  type Preset,
  savePreset,
} from '../../jobs/index.ts';
import { describeBody, describeProblems, describeResponse, JSON_FAULTS } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';
import { FIELDS_BYTES_MAX, parseJsonObject, readBody } from '../transport/read-request.ts';

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const PATH = '/v2/presets/{name}';

const NAME_PARAM = {
  path: z.object({
    name: z.string().meta({ description: 'Name of the preset; to read also with a version: shop@3.' }),
  }),
};

const { steps, outputs } = OPERATIONS.pipeline.params.shape;
const STEPS_HINT = 'The steps, as a pipeline has them.';

const bodySchema = z.strictObject({ steps: steps.unwrap().meta({ description: STEPS_HINT }), outputs });

const presetSchema = z
  .object({
    name: z.string().meta({ description: 'Name of the preset.' }),
    version: z.int().meta({ description: 'From 1; each change makes the next.' }),
    steps: z.array(z.looseObject({})).meta({ description: STEPS_HINT }),
    outputs: z.array(z.string()).meta({ description: 'Ids of the steps whose results are wanted.' }),
    updated_at: z.iso.datetime().meta({ description: 'Time at which this version was made.' }),
  })
  .meta({ id: 'Preset' });

function view({ name, version, steps, outputs, updatedAt }: Preset): z.output<typeof presetSchema> {
  return {
    name,
    version,
    steps: steps.map((step) => ({ ...step })),
    outputs: [...outputs],
    updated_at: updatedAt.toISOString(),
  };
}

/** @throws OperationError `forbidden` for a key with limits: such a key may run presets */
function assertMayWrite({ visibleKeyIds, isWorker }: Actor): void {
  if (visibleKeyIds === undefined && !isWorker) return;
  throw new OperationError('forbidden', 'A limited key may not change presets. Use a key without limits.');
}

function unknownPreset(name: string): OperationError {
  return new OperationError('not_found', `There is no preset "${name}", or no such version of it.`);
}

/** Saves a recipe. */
export const putPreset = defineRoute({
  method: 'PUT',
  path: PATH,
  permission: 'keys.change',
  action: 'presets.save',
  docs: {
    operationId: 'putPreset',
    tag: 'jobs',
    summary: 'Save a recipe',
    description:
      'Saves the steps of a pipeline under a name, as its next version. An account has at most 100, each with its newest 100 versions.',
    requestParams: NAME_PARAM,
    requestBody: describeBody(bodySchema),
    responses: {
      '200': describeResponse('The saved version.', presetSchema),
      ...describeProblems(JSON_FAULTS),
    },
  },
  async handle({ ctx, request, actor, segment: name }) {
    // 1. Authorize.
    assertMayWrite(actor);
    // 2. Parse: as a request would be, without its file.
    if (!NAME.test(name)) {
      throw fieldError(
        'name',
        'must begin with a letter a to z, and have at most 64 of a to z, 0 to 9 and -.',
      );
    }
    const body = parseJsonObject(await readBody(request, FIELDS_BYTES_MAX));
    parseParams(bodySchema, body);
    const recipe = parseParams(OPERATIONS.pipeline.params, body);
    const steps = recipe.steps ?? [];
    // 3. Save.
    const outputs = listOutputs({ steps, outputs: recipe.outputs });
    const saved = await savePreset(ctx.db, { accountId: actor.accountId, name }, { steps, outputs });
    return jsonResponse(200, view(saved));
  },
});

/** Reads a saved recipe. */
export const getPreset = defineRoute({
  method: 'GET',
  path: PATH,
  permission: 'account.see',
  docs: {
    operationId: 'getPreset',
    tag: 'jobs',
    summary: 'A saved recipe',
    description: 'Returns the newest version, or the one that the name ends with: shop@3.',
    requestParams: NAME_PARAM,
    responses: {
      '200': describeResponse('The newest version, or the one that is named.', presetSchema),
      ...describeProblems(['unauthorized', 'forbidden', 'not_found', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor, segment: reference }) {
    const found = await findPreset(ctx.db, actor.accountId, reference.replace(/%40/, '@'));
    if (!found) throw unknownPreset(reference);
    return jsonResponse(200, view(found));
  },
});

/** Lists the saved recipes. */
export const listPresets = defineRoute({
  method: 'GET',
  path: '/v2/presets',
  permission: 'account.see',
  docs: {
    operationId: 'listPresets',
    tag: 'jobs',
    summary: 'The saved recipes',
    description: 'Lists the newest version of each preset.',
    responses: {
      '200': describeResponse(
        'The newest version of each, by name.',
        z
          .object({
            presets: z.array(presetSchema).meta({ description: 'By name, each in its newest version.' }),
          })
          .meta({ id: 'Presets' }),
      ),
      ...describeProblems(['unauthorized', 'forbidden', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor }) {
    return jsonResponse(200, { presets: (await listSaved(ctx.db, actor.accountId)).map(view) });
  },
});

/** Deletes a saved recipe. */
export const deletePreset = defineRoute({
  method: 'DELETE',
  path: PATH,
  permission: 'keys.change',
  action: 'presets.delete',
  docs: {
    operationId: 'deletePreset',
    tag: 'jobs',
    summary: 'Delete a saved recipe',
    description: 'Deletes all its versions. Jobs keep the steps that they ran.',
    requestParams: NAME_PARAM,
    responses: {
      '204': { description: 'The preset is deleted.' },
      ...describeProblems(['unauthorized', 'forbidden', 'not_found', 'too_many_requests']),
    },
  },
  async handle({ ctx, actor, segment: name }) {
    assertMayWrite(actor);
    if (!(await deleteSaved(ctx.db, { accountId: actor.accountId, name }))) throw unknownPreset(name);
    return new Response(null, { status: 204 });
  },
});
