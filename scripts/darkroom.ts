import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../clients/typescript/src/cli/exit-codes.ts';
import type { Machine } from '../clients/typescript/src/cli/machine.ts';
import { main } from '../clients/typescript/src/cli/main.ts';
import type { LocalTools } from '../clients/typescript/src/cli/serve-mcp.ts';
import type { Target } from '../clients/typescript/src/cli/target.ts';
import { createNodeTerminal } from '../clients/typescript/src/cli/terminal.ts';

const RUNS_MAX = 16;

// Models are downloaded once, for the service and the command.
process.env.DATA_DIR ||= join(import.meta.dirname, '../.data');

/** Opens this machine as the place that runs operations: what the client's package alone cannot do. */
async function openLocal(): Promise<Target> {
  const { openLocalRunner, parseRecipe } = await import('../server/ops/local-runner.ts');
  const runner = await openLocalRunner(RUNS_MAX);
  return {
    jobs: 1,
    run: ({ onProgress, ...task }, save) =>
      runner.run({ ...task, onProgress: ({ fraction }) => onProgress(fraction) }, ({ files, ...outcome }) =>
        save({
          ...outcome,
          requestId: null,
          chargedUsd: null,
          files: files.map(({ path, ...file }) => ({ ...file, open: async () => createReadStream(path) })),
        }),
      ),
    async checkRecipe(recipe) {
      try {
        parseRecipe(recipe);
      } catch (thrown) {
        throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
      }
    },
    quote: () => Promise.reject(new UsageError('--quote: a run on this machine costs nothing.')),
    close: async () => runner.close(),
  };
}

/** Opens this machine as the place that runs jobs of an account. */
async function openMachine(runsMax: number): Promise<Machine> {
  const { openOwnDevice } = await import('../server/ops/own-device.ts');
  return await openOwnDevice(runsMax);
}

/** Opens this machine as the place that runs the tools of an agent. */
async function openLocalTools(): Promise<LocalTools> {
  const { listLocalTools } = await import('../server/api/mcp/list-tools.ts');
  return { target: await openLocal(), tools: listLocalTools() };
}

/** `npm run darkroom`: the client's command, which also runs operations on this machine. */
// npm starts its scripts in the folder of the project.
process.exitCode = await main(process.argv.slice(2), createNodeTerminal(process.env.INIT_CWD), {
  openLocal,
  openLocalTools,
  openMachine,
});
