// Every folder of shipped code, its purpose, and which others it may import. The linter's fences and the table in CONTRIBUTING.md are
// made from it; test/unit/structure.test.ts holds the code and the table against it.
import { posix, relative } from 'node:path';
import { EXTENSION_FOLDERS } from './extension-folders.mjs';
import { INSPECTOR_FOLDERS } from './inspector-folders.mjs';
import { SERVER_FOLDERS } from './server-folders.mjs';

export { SERVER_WINGS } from './server-folders.mjs';

/**
 * @typedef {object} Folder
 * @property {string} name path of the folder; folders inside it have rows of their own
 * @property {string} purpose
 * @property {readonly string[]} imports names of folders; `server/**` is every folder in `server`
 * @property {readonly string[]} [packages] the only packages it may import; undefined: those that no other folder has to itself
 * @property {boolean} [isPure] imports nothing that reads files, starts processes or opens connections: it gets such things as ports
 */

const SIDES = ['server', 'extension', 'media/inspector'];

/**
 * @param {string} side
 * @param {readonly (readonly [name: string, purpose: string, imports: string, options?: Pick<Folder, 'packages' | 'isPure'>])[]} rows
 * @returns {Folder[]}
 */
const foldersOf = (side, rows) => {
  const whole = (/** @type {string} */ name) => {
    if (name === '.') return side;
    return SIDES.some((other) => name.startsWith(`${other}/`)) ? name : `${side}/${name}`;
  };
  return rows.map(([name, purpose, imports, options]) => ({
    name: whole(name),
    purpose,
    imports: imports.split(' ').filter(Boolean).map(whole),
    ...options,
  }));
};

/** @type {readonly Folder[]} */
export const FOLDERS = [
  ...foldersOf('server', SERVER_FOLDERS),
  ...foldersOf('extension', EXTENSION_FOLDERS),
  ...foldersOf('media/inspector', INSPECTOR_FOLDERS),
];

/** Packages, and the folders that have them to themselves. */
const RESERVED_PACKAGES = {
  '@ethereumjs/block': ['server/execution/in-process'],
  '@ethereumjs/common': ['server/execution/in-process'],
  '@ethereumjs/evm': ['server/execution/in-process'],
  '@ethereumjs/tx': ['server/execution/in-process'],
  '@ethereumjs/util': ['server/execution/in-process'],
  '@ethereumjs/vm': ['server/execution/in-process'],
  express: ['server/http'],
  'express-rate-limit': ['server/http'],
  kysely: ['server/team/postgres/**'],
  lowdb: ['server/store/accounts'],
  'prom-client': ['server/kernel/metrics'],
  pg: ['server/team/postgres/database'],
  ws: ['server/forks/address', 'server/team/routing'],
  vscode: ['extension/**'],
  '@vscode/debugadapter': ['extension/debugger/adapter'],
};
const IMPURE = /^(undici|node:(child_process|dgram|dns|fs|http|https|net|tls).*)$/;

/** @param {string} name @param {readonly string[]} patterns */
const isOneOf = (name, patterns) =>
  patterns.some((pattern) =>
    pattern.endsWith('/**')
      ? name === pattern.slice(0, -3) || name.startsWith(pattern.slice(0, -2))
      : name === pattern,
  );

/**
 * What is wrong with an import; undefined where nothing is, and for a file in a folder without a row.
 * @param {string} file path from the root of the repository, with slashes
 * @param {string} specifier as it stands in the import
 */
export function importFault(file, specifier) {
  const folder = FOLDERS.find(({ name }) => name === posix.dirname(file));
  if (folder === undefined) return undefined;
  if (!specifier.startsWith('.')) {
    return mayUse(folder, specifier) ? undefined : `${folder.name} may not use ${specifier}`;
  }
  const target = posix.dirname(posix.join(folder.name, specifier));
  if (target === folder.name || target === '.' || isOneOf(target, folder.imports)) return undefined;
  return `${folder.name} may import ${folder.imports.join(', ') || 'no other folder'}, but not ${target}`;
}

/** @param {Folder} folder @param {string} name of a package, with the path inside it */
function mayUse({ name: folder, packages, isPure }, name) {
  const isPartOf = (/** @type {string} */ whole) => name === whole || name.startsWith(`${whole}/`);
  if (packages !== undefined) return packages.some(isPartOf);
  if (isPure && IMPURE.test(name)) return false;
  if (folder.startsWith('media/') && name.startsWith('node:')) return false;
  return Object.entries(RESERVED_PACKAGES).every(
    ([reserved, owners]) => !isPartOf(reserved) || isOneOf(folder, owners),
  );
}

/** The rule `folders/imports` for the linter. */
export const foldersPlugin = {
  rules: {
    imports: {
      meta: { type: 'problem', schema: [] },
      /** @param {import('eslint').Rule.RuleContext} context */
      create(context) {
        const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
        const check = (/** @type {any} */ { source }) => {
          const message = typeof source?.value === 'string' && importFault(file, source.value);
          if (message) context.report({ node: source, message });
        };
        return {
          ImportDeclaration: check,
          ImportExpression: check,
          ExportAllDeclaration: check,
          ExportNamedDeclaration: check,
        };
      },
    },
  },
};
