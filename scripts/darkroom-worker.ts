import { EXIT } from '../clients/typescript/src/cli/exit-codes.ts';
import { reportFailure } from '../clients/typescript/src/cli/report.ts';
import { readVersion } from '../clients/typescript/src/cli/settings.ts';
import { createNodeTerminal } from '../clients/typescript/src/cli/terminal.ts';
import { runWorker } from '../clients/typescript/src/cli/worker-command.ts';

const HELP = `darkroom-worker [--operations A,B] [--concurrency N]

Run the jobs that the account of DARKROOM_KEY leaves to its own machines, at the service of DARKROOM_URL.
`;

const args = process.argv.slice(2);
const has = (...names: string[]) => args.some((arg) => names.includes(arg));
const terminal = createNodeTerminal(process.cwd());

/** The command of the worker's own package: `darkroom worker` alone. */
process.exitCode = await reportFailure(terminal, async () => {
  if (has('--version')) terminal.out(`darkroom ${readVersion()}\n`);
  else if (has('--help', '-h')) terminal.out(HELP);
  else {
    const { openOwnDevice } = await import('../server/ops/own-device.ts');
    return await runWorker(terminal, args, { openMachine: openOwnDevice });
  }
  return EXIT.done;
});
