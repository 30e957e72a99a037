import { file, profile, text, url } from './kinds';
import { flag, optional, type Values } from './parameter';

/** Options that all commands accept. */
export const GLOBAL_OPTIONS = {
  json: flag('print JSON, errors as well: {"code", "message"} on standard error'),
  dataDir: optional(
    file,
    'folder',
    'where users, projects and forks are kept (default: ~/.forklens)',
    {
      env: 'FORKLENS_DATA_DIR',
    },
  ),
  database: optional(
    text,
    'url',
    'PostgreSQL database in place of files, for a service that the command starts, and for administration',
    { env: 'FORKLENS_DATABASE_URL' },
  ),
  url: optional(url, 'url', 'the service to use, in place of the one of the data directory', {
    env: 'FORKLENS_URL',
  }),
  accessKey: optional(text, 'key', 'access key; the variable keeps it out of process lists', {
    env: 'FORKLENS_ACCESS_KEY',
    alias: { name: 'key' },
  }),
  profile: optional(profile, 'name', 'a service that forklens login has stored', {
    env: 'FORKLENS_PROFILE',
  }),
  config: optional(file, 'file', 'config file of a service that the command starts', {
    env: 'FORKLENS_CONFIG',
  }),
  sandbox: flag('serve the built-in chain as well, where the command starts a service', {
    env: 'FORKLENS_SANDBOX',
  }),
} as const;

export type Globals = Values<typeof GLOBAL_OPTIONS>;
