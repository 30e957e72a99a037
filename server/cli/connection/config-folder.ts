import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's configuration folder: `%APPDATA%`, `$XDG_CONFIG_HOME`, or `~/.config`. */
export function configFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const base = environment[platform === 'win32' ? 'APPDATA' : 'XDG_CONFIG_HOME'] ?? '';
  return join(base === '' ? join(homedir(), '.config') : base, 'forklens');
}
