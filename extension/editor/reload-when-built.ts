import { unwatchFile, watchFile } from 'node:fs';

/**
 * Calls `reload` when `npm run dev` has built the extension again.
 * @param stamp file that is written after each build; it need not exist yet
 * @returns what ends this
 */
export function reloadWhenBuilt(
  stamp: string,
  reload: () => void,
  intervalMs = 500,
): { dispose: () => void } {
  const listener = ({ mtimeMs }: { mtimeMs: number }): void => {
    if (mtimeMs > 0) reload();
  };
  watchFile(stamp, { interval: intervalMs, persistent: false }, listener);
  return {
    dispose: () => {
      unwatchFile(stamp, listener);
    },
  };
}
