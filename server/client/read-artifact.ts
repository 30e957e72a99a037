import * as z from 'zod';
import type { NewCode } from '../api/new-code';

const ranges = z.record(
  z.string(),
  z.array(z.object({ start: z.int().min(0), length: z.int().min(0) })),
);
const foundry = z.object({
  abi: z.array(z.unknown()),
  deployedBytecode: z.object({ object: z.string(), immutableReferences: ranges.default({}) }),
  storageLayout: z.unknown().optional(),
  ast: z.unknown().optional(),
});
const hardhat = z.object({
  contractName: z.string(),
  abi: z.array(z.unknown()),
  deployedBytecode: z.string(),
  immutableReferences: ranges.default({}),
  storageLayout: z.unknown().optional(),
});

/** What a client sends of an artifact: `NewCode` before its validation. */
export type WrittenCode = Omit<NewCode, 'abi' | 'layout' | 'code'> & {
  code: string;
  abi: unknown[];
  layout?: unknown;
};

/** An artifact that cannot be used. The message is for people. */
export class ArtifactError extends Error {
  override readonly name = 'ArtifactError';
}

/**
 * Reads the code of an artifact of Foundry or Hardhat.
 * @param text of the file
 * @param name for formats that do not contain the contract's name
 * @throws ArtifactError
 */
export function readArtifactText(text: string, name: string): WrittenCode {
  const json = parsed(text);
  const namespaces = [
    ...new Set(Array.from(text.matchAll(/erc7201:([\w.$-]+)/g), ([, id]) => id ?? '')),
  ];
  const found = foundry.safeParse(json);
  if (found.success) {
    const { abi, deployedBytecode, storageLayout, ast } = found.data;
    const { object, immutableReferences } = deployedBytecode;
    const names = namesById(ast);
    return codeOf({ name, object, immutableReferences, abi, storageLayout, namespaces }, names);
  }
  const other = hardhat.safeParse(json);
  if (!other.success) {
    throw new ArtifactError(
      'it is not an artifact of Foundry or Hardhat with abi and deployedBytecode',
    );
  }
  const { contractName, deployedBytecode: object, ...rest } = other.data;
  return codeOf({ ...rest, name: contractName, object, namespaces }, new Map());
}

interface Found {
  readonly name: string;
  readonly object: string;
  readonly immutableReferences: z.infer<typeof ranges>;
  readonly abi: unknown[];
  readonly storageLayout?: unknown;
  readonly namespaces: string[];
}

function codeOf(
  { name, object, immutableReferences, abi, storageLayout, namespaces }: Found,
  names: ReadonlyMap<string, string>,
): WrittenCode {
  const digits = object.replace(/^0x/, '');
  if (digits === '')
    throw new ArtifactError('it has no runtime code: an interface, or an abstract contract');
  if (digits.includes('__')) throw new ArtifactError('its libraries are not linked: link it first');
  return {
    name,
    code: `0x${digits}`,
    immutables: Object.entries(immutableReferences).map(([id, places]) => ({
      name: names.get(id) ?? '',
      ranges: places,
    })),
    abi,
    ...(isLayout(storageLayout) && { layout: storageLayout }),
    namespaces,
  };
}

const isLayout = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'storage' in value;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ArtifactError('it is not JSON');
  }
}

/** Names of declared variables by the id of their declaration. */
function namesById(ast: unknown): Map<string, string> {
  const names = new Map<string, string>();
  const open = [ast];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { nodeType, id, name } = node as Record<string, unknown>;
    const isNamed = typeof id === 'number' && typeof name === 'string';
    if (nodeType === 'VariableDeclaration' && isNamed) names.set(String(id), name);
    open.push(...(Object.values(node) as unknown[]));
  }
  return names;
}
