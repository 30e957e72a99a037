import type { Finding } from '../../api/doctor';
import {
  InstalledCompilers,
  ownFolder,
} from '../../contracts/sources/compilers/installed-compilers';
import { toFolders } from '../../composition/startup/folders';

/** @param configured FORKLENS_SOLC */
export async function checkCompilers(configured: string, dataDir: string): Promise<Finding> {
  const folders = [...toFolders(configured), ownFolder(dataDir)];
  const found = await new InstalledCompilers(folders).all();
  const versions = found.map(({ version }) => version).sort();
  const none = `none in ${folders.join(', ')}: local variables of verified contracts are unavailable`;
  return {
    name: 'solc',
    status: 'ok',
    message: versions.length === 0 ? none : `versions ${versions.join(', ')}`,
  };
}
