import { userInfo } from 'node:os';
import { join } from 'node:path';
import { SERVER_USER } from './home.ts';
import { writeForServer } from './write-for-server.ts';

const MAP = 'darkroom';

/**
 * Writes who may connect. As root the server runs as a user that other programs may use as well: the kernel tells it
 * who connects, and only root may. Otherwise its folder keeps everybody but our own user out.
 * @returns settings that name the files, also for a cluster of an older version
 */
export async function writeAccessRules(data: string): Promise<Readonly<Record<string, string>>> {
  if (SERVER_USER.uid === undefined) return {};
  const paths = { hba_file: join(data, 'darkroom_hba.conf'), ident_file: join(data, 'darkroom_ident.conf') };
  await writeForServer(paths.hba_file, `local all all peer map=${MAP}\n`);
  await writeForServer(paths.ident_file, `${MAP} ${userInfo().username} postgres\n`);
  return paths;
}
