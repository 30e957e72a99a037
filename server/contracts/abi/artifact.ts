import type { JsonFragment } from 'ethers';
import * as z from 'zod';
import { ContractInterface } from '../../analysis/contract-interface';
import type { StorageLayout } from '../../analysis/storage-layout';
import { CodeTemplate, type MaskedRange } from './code-template';

/** A contract that the user compiled. */
export interface Artifact {
  readonly name: string;
  readonly interface: ContractInterface;
  /** Undefined for interfaces and abstract contracts. */
  readonly deployed: CodeTemplate | undefined;
  readonly creation: CodeTemplate | undefined;
  /** Set if the compiler was configured to write it (Foundry: `extra_output = ["storageLayout"]`). */
  readonly layout: StorageLayout | undefined;
  /** Whether the file has a syntax tree (Foundry: `ast = true`). */
  readonly hasTree?: boolean;
  /** Path of the file, if the artifact is in one. */
  readonly file?: string;
}

const ranges = z.array(z.object({ start: z.int().min(0), length: z.int().min(0) }));
const links = z.record(z.string(), z.record(z.string(), ranges)).default({});
const code = z.string().regex(/^(0x)?([0-9a-fA-F]|__[$\w./:-]{36}__)*$/);
const abi = z.array(z.custom<JsonFragment>((item) => typeof item === 'object' && item !== null));

const member = z.object({
  label: z.string(),
  offset: z.int(),
  slot: z.string().regex(/^\d+$/),
  type: z.string(),
});
export const layoutSchema = z
  .object({
    storage: z.array(member),
    types: z
      .record(
        z.string(),
        z.object({
          encoding: z.string(),
          label: z.string(),
          numberOfBytes: z.string().regex(/^[1-9]\d*$/),
          key: z.string().optional(),
          value: z.string().optional(),
          base: z.string().optional(),
          members: z.array(member).optional(),
        }),
      )
      .nullish(),
  })
  .optional()
  .catch(undefined);

/** `out/<File>.sol/<Contract>.json` of Foundry; the compiler's own output has the same `evm` objects. */
const foundrySchema = z.object({
  abi,
  bytecode: z.object({ object: code, linkReferences: links }),
  deployedBytecode: z.object({
    object: code,
    linkReferences: links,
    immutableReferences: z.record(z.string(), ranges).default({}),
  }),
  storageLayout: layoutSchema,
  ast: z.unknown().optional(),
});

/** `artifacts/…/<Contract>.json` of Hardhat. */
const hardhatSchema = z.object({
  contractName: z.string(),
  abi,
  bytecode: code,
  deployedBytecode: code,
  linkReferences: links,
  deployedLinkReferences: links,
  immutableReferences: z.record(z.string(), ranges).default({}),
  storageLayout: layoutSchema,
});

/**
 * Reads an artifact of Foundry or Hardhat.
 * @param name for formats that do not contain the contract's name
 * @returns undefined if the JSON is not an artifact
 */
export function readArtifact(json: unknown, name: string): Artifact | undefined {
  const foundry = foundrySchema.safeParse(json);
  if (foundry.success) {
    const { bytecode, deployedBytecode, storageLayout, ast } = foundry.data;
    return {
      name,
      interface: ContractInterface.fromAbi(foundry.data.abi),
      creation: template(bytecode.object, linkRanges(bytecode.linkReferences)),
      deployed: template(deployedBytecode.object, [
        ...linkRanges(deployedBytecode.linkReferences),
        ...Object.values(deployedBytecode.immutableReferences).flat(),
      ]),
      layout: storageLayout,
      hasTree: ast !== undefined,
    };
  }
  const hardhat = hardhatSchema.safeParse(json);
  if (!hardhat.success) return undefined;
  const { data } = hardhat;
  return {
    name: data.contractName,
    interface: ContractInterface.fromAbi(data.abi),
    creation: template(data.bytecode, linkRanges(data.linkReferences)),
    deployed: template(data.deployedBytecode, [
      ...linkRanges(data.deployedLinkReferences),
      ...Object.values(data.immutableReferences).flat(),
    ]),
    layout: data.storageLayout,
  };
}

function template(text: string, masks: readonly MaskedRange[]): CodeTemplate | undefined {
  const digits = text.replace(/^0x/, '').toLowerCase();
  return digits === '' ? undefined : new CodeTemplate(digits, masks);
}

const linkRanges = (references: z.infer<typeof links>): MaskedRange[] =>
  Object.values(references).flatMap((file) => Object.values(file).flat());
