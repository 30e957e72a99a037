// The rooms: every folder of code that is shipped, what it is for, and which others it may import. The linter's fences and the table in
// CONTRIBUTING.md are made from it; test/unit/structure.test.ts holds the code and the table against it.
import { posix, relative } from 'node:path';
import { EXTENSION_ROOMS } from './extension-rooms.mjs';
import { INSPECTOR_ROOMS } from './inspector-rooms.mjs';
import { SERVER_ROOMS } from './server-rooms.mjs';

/**
 * @typedef {object} Room
 * @property {string} name path of the folder; folders inside it are rooms of their own
 * @property {string} purpose
 * @property {readonly string[]} imports names of rooms; `server/**` is every room in `server`
 * @property {readonly string[]} [packages] the only packages it may import; undefined: those that no other room has to itself
 * @property {boolean} [isPure] imports nothing that reads files, starts processes or opens connections: it gets such things as ports
 */

const SIDES = ['server', 'extension', 'media/inspector'];

/**
 * @param {string} side
 * @param {readonly (readonly [name: string, purpose: string, imports: string, options?: Pick<Room, 'packages' | 'isPure'>])[]} rows
 * @returns {Room[]}
 */
const roomsOf = (side, rows) => {
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

/** @type {readonly Room[]} */
export const ROOMS = [
  ...roomsOf('server', SERVER_ROOMS),
  ...roomsOf('extension', EXTENSION_ROOMS),
  ...roomsOf('media/inspector', INSPECTOR_ROOMS),
];

/** Packages, and the rooms that have them to themselves. */
const RESERVED_PACKAGES = {
  express: ['server/http'],
  'express-rate-limit': ['server/http'],
  lowdb: ['server/store/accounts'],
  ws: ['server/fork-rpc'],
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
 * What is wrong with an import; undefined where nothing is, and for a file that is in no room.
 * @param {string} file path from the root of the repository, with slashes
 * @param {string} specifier as it stands in the import
 */
export function importFault(file, specifier) {
  const room = ROOMS.find(({ name }) => name === posix.dirname(file));
  if (room === undefined) return undefined;
  if (!specifier.startsWith('.')) {
    return mayUse(room, specifier) ? undefined : `${room.name} may not use ${specifier}`;
  }
  const target = posix.dirname(posix.join(room.name, specifier));
  if (target === room.name || target === '.' || isOneOf(target, room.imports)) return undefined;
  return `${room.name} may import ${room.imports.join(', ') || 'no other room'}, but not ${target}`;
}

/** @param {Room} room @param {string} name of a package, with the path inside it */
function mayUse({ name: room, packages, isPure }, name) {
  const isPartOf = (/** @type {string} */ whole) => name === whole || name.startsWith(`${whole}/`);
  if (packages !== undefined) return packages.some(isPartOf);
  if (isPure && IMPURE.test(name)) return false;
  if (room.startsWith('media/') && name.startsWith('node:')) return false;
  return Object.entries(RESERVED_PACKAGES).every(
    ([reserved, owners]) => !isPartOf(reserved) || isOneOf(room, owners),
  );
}

/** The rule `rooms/imports` for the linter. */
export const roomsPlugin = {
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
