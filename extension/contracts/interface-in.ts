import { parseAbiItem } from 'viem';
import * as z from 'zod';
import { abiItemSchema } from '../../server/api/abi';
import { asArtifact } from '../../server/api/abi-forms';
import type { ForkContract } from '../model/fork-contract';

/**
 * The interface that a text holds: a JSON ABI, an artifact, an answer of Etherscan, or declarations such as `function f(uint256)`.
 * @returns undefined if it holds none
 */
export function interfaceIn(text: string): Pick<ForkContract, 'name' | 'abi'> | undefined {
  const artifact = asArtifact(jsonOf(text) ?? text);
  if (typeof artifact !== 'object' || artifact === null) return undefined;
  const { abi, contractName } = artifact as { abi?: unknown; contractName?: unknown };
  try {
    const items = z.array(abiItemSchema).parse(z.array(z.unknown()).parse(abi).map(parsed));
    return { name: typeof contractName === 'string' ? contractName : '', abi: items };
  } catch {
    return undefined;
  }
}

/** Declarations become items. @throws Error for one that is not valid */
function parsed(item: unknown): unknown {
  const { declaration } = (item ?? {}) as { declaration?: unknown };
  return typeof declaration === 'string' ? parseAbiItem(declaration) : item;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
