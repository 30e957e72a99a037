import { CONTRACT_LIMITS } from '../../api/schema-limits';
import { command } from './command';
import { choice, file, filledText, profile, project, solcVersion, text, url, whole } from './kinds';
import { LIST_OPTIONS } from './list-options';
import { flag, many, optional, required, withDefault } from './parameter';

export const ACCOUNT_COMMANDS = {
  login: command({
    summary: 'store a service and an access key as a profile, and use it from now on',
    details:
      'The key is read from standard input; in a terminal it is asked for and not shown. It is kept in a file that only you can read.',
    arguments: { serviceUrl: required(url, 'service-url', 'base URL of the service') },
    options: {
      name: withDefault(profile, 'name', 'name of the profile', 'default'),
    },
    examples: [
      ['forklens login https://forks.example.org < key.txt', 'reads the key from a file'],
      ['pass forklens | forklens login https://forks.example.org --name team', ''],
    ],
  }),
  logout: command({
    summary: 'forget a profile and its key',
    arguments: { name: optional(profile, 'name', 'of the profile (default: the one in use)') },
  }),
  'profile list': command({ summary: 'list the profiles', options: LIST_OPTIONS }),
  'profile use': command({
    summary: 'use a profile from now on',
    arguments: { name: required(profile, 'name', 'of the profile, or none: the data directory') },
  }),
  quota: command({
    summary: 'show quotas and what is used, of your account or of a project',
    arguments: { project: optional(project, 'project', 'id or name (default: your account)') },
  }),
  account: command({ summary: 'show whom the access key belongs to, and which service answers' }),
} as const;

const email = optional(filledText, 'email', 'of this user only');

export const ADMIN_COMMANDS = {
  'user add': command({
    summary: 'register a user, with the project "default"',
    options: {
      nickname: required(filledText, 'name', 'name shown to collaborators'),
      email: required(filledText, 'address', 'e-mail address, unique'),
    },
    examples: [['forklens user add --nickname Ada --email ada@example.org', '']],
  }),
  'user list': command({ summary: 'list the users, oldest first', options: LIST_OPTIONS }),
  'key create': command({
    summary: 'issue an access key; it is shown this once',
    details:
      'Without --user, the key is for the user of the key in use, and has no scope and no time that this key lacks.',
    options: {
      user: optional(filledText, 'email', 'whose key, for the administrator of the data directory'),
      scope: withDefault(
        filledText,
        'scopes',
        'manage, analyze, or both by comma',
        'manage,analyze',
      ),
      label: optional(filledText, 'text', 'what the key is for'),
      expiresInDays: optional(
        whole(1, CONTRACT_LIMITS.keyLifetime),
        'days',
        'when it expires (default: never)',
      ),
    },
  }),
  'key list': command({
    summary: 'list the keys without their secret part',
    options: { user: email, ...LIST_OPTIONS },
  }),
  'key revoke': command({
    summary: 'make a key useless at once',
    arguments: { id: required(filledText, 'id', 'as in the list: key_…') },
  }),
  'key rotate': command({
    summary: 'replace a key by a new one, beside which it stays valid for some time',
    arguments: { id: required(filledText, 'id', 'as in the list: key_…') },
    options: {
      overlapSeconds: withDefault(
        whole(0, CONTRACT_LIMITS.keyOverlap),
        'seconds',
        'for which the old key stays valid',
        86_400,
      ),
    },
    examples: [['forklens key rotate key_0a1b2c3d4e5f --overlap-seconds 3600', '']],
  }),
  audit: command({
    summary: 'list who did what, when and from where, newest first',
    details:
      'Of all users on a data directory; with a profile, what you did and what was done in your projects.',
    options: {
      project: optional(filledText, 'project-id', 'only in this project'),
      action: optional(filledText, 'action', 'only this one, such as createFork or admin.addUser'),
      limit: withDefault(whole(1, CONTRACT_LIMITS.pageSize), 'number', 'entries of a page', 50),
      cursor: optional(filledText, 'cursor', 'id of the last entry of the page before'),
      ...LIST_OPTIONS,
    },
    examples: [['forklens audit --action revokeKey', 'when keys were revoked']],
  }),
  'node list': command({
    summary: 'list the nodes that run on the database',
    options: LIST_OPTIONS,
  }),
  'node drain': command({
    summary: 'move the forks of a node to the others, before it is stopped',
    details: 'Requests go on meanwhile. The node takes no forks until its next start.',
    arguments: { id: required(filledText, 'id', 'as in the list') },
  }),
} as const;

export const LOCAL_COMMANDS = {
  serve: command({
    summary: 'run the service on the data directory until Ctrl-C',
    details: 'Takes the options of forklens-server; write -- before those not listed here.',
    arguments: { options: many(text, 'options', 'further options of forklens-server') },
    options: { port: withDefault(whole(0, 65_535), 'number', '0 for any free port', 8787) },
    examples: [
      ['forklens serve --sandbox', 'with the built-in chain'],
      ['forklens serve -- --host 0.0.0.0 --allowed-hosts forks.example.org', 'for others'],
    ],
  }),
  demo: command({
    summary: 'fork the built-in chain inside a block, send a transaction, analyze it',
    examples: [['forklens demo', 'needs no RPC endpoint']],
  }),
  'sandbox list': command({
    summary: 'list the transactions of the built-in chain',
  }),
  mcp: command({
    summary: 'serve the tools of agents over standard input and output (MCP)',
  }),
  doctor: command({
    summary: 'check engine, disk, ports, keys and endpoints, and say what to do',
    options: {
      port: withDefault(whole(0, 65_535), 'number', 'of the service', 8787, {
        env: 'FORKLENS_PORT',
      }),
      endpointsFromStdin: flag('check the endpoints in the JSON on standard input as well'),
    },
  }),
  'solc add': command({
    summary: 'fetch a compiler of Solidity from npm, for local variables in the debugger',
    details:
      'Its integrity is compared with the metadata of the registry, which is that of npm (npm_config_registry, .npmrc). It is kept in the data directory, and used without a network.',
    arguments: { version: required(solcVersion, 'version', 'such as 0.8.19') },
    examples: [['forklens solc add 0.8.19', '']],
  }),
  'solc list': command({ summary: 'list the compilers that the debugger finds' }),
  'solc remove': command({
    summary: 'delete a compiler from the data directory',
    arguments: { version: required(solcVersion, 'version', 'as in the list') },
  }),
  'store check': command({
    summary: 'look for damage in the data; exit code 1 where there is some',
  }),
  'store repair': command({
    summary: 'repair damaged data from copies where there are some; damaged files are kept',
    options: { empty: flag('begin with an empty store where nothing can be read') },
  }),
  'store backup': command({
    summary: 'copy the data of the service to a folder',
    arguments: { folder: required(file, 'folder', 'empty, or not there yet') },
  }),
  'store restore': command({
    summary: 'replace the data with a backup; the current data is set aside',
    arguments: { folder: required(file, 'folder', 'of a backup') },
  }),
  'store copy': command({
    summary: 'copy all data between a data directory and a PostgreSQL database',
    details:
      'Stop the services that use them first. The target has to be empty; nothing is deleted. Counts and checksums are compared at the end.',
    options: {
      from: required(filledText, 'source', 'folder, postgres://… or database: that of --database'),
      to: required(filledText, 'target', 'folder, postgres://… or database: that of --database'),
    },
    examples: [
      [
        'forklens store copy --from ./data --to database',
        'to the database of FORKLENS_DATABASE_URL',
      ],
      ['forklens store copy --from database --to ./copy', 'back into files'],
    ],
  }),
  completion: command({
    summary: 'print a script that completes commands, options and live ids in a shell',
    arguments: { shell: required(choice('bash', 'zsh', 'fish'), 'shell', 'bash, zsh or fish') },
    examples: [
      ['source <(forklens completion bash)', 'in ~/.bashrc'],
      ['source <(forklens completion zsh)', 'in ~/.zshrc, after compinit'],
      ['forklens completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
  }),
} as const;
