import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Abi, AbiFunction } from 'viem';
import { compiledContract, type CompiledContract } from '../build-output/compiled-contract';
import { buildOutputs } from '../build-output/workspace-artifacts';
import { UserCancelledError } from '../model/errors';
import type { FunctionTarget } from '../model/targets';
import { pick } from '../ui/quick-input';

export type Constructor = Extract<Abi[number], { type: 'constructor' }>;

/** A function of a source, as the build has it. */
export interface CalledFunction {
  /** Such as `Vault.withdraw`. */
  readonly title: string;
  readonly contract: string;
  /** A constructor stands for a creation. */
  readonly abi: AbiFunction | Constructor;
  readonly compiled: CompiledContract;
  /** Folders of build output. */
  readonly outputs: readonly string[];
}

/** Finds a function in the build output, and asks which one where several have its name. @throws UserCancelledError, after a message with advice */
export async function calledFunction(target: FunctionTarget): Promise<CalledFunction> {
  const { contract, name } = target;
  const title = `${contract}.${name}`;
  const outputs = await buildOutputs();
  const compiled = await buildOf(target, outputs);
  const abi = await askOverload(title, functionsOf(target, compiled));
  return { title, contract, abi, compiled, outputs };
}

/** The constructor; undefined where the contract declares none. */
export const constructorOf = ({ abi }: Pick<CompiledContract, 'abi'>): Constructor | undefined =>
  abi.find(({ type }) => type === 'constructor') as Constructor | undefined;

/** @throws UserCancelledError after a message with advice, if the contract is not in the build output */
async function buildOf(
  target: FunctionTarget,
  outputs: readonly string[],
): Promise<CompiledContract> {
  const compiled = await compiledContract(target, outputs);
  if (compiled !== undefined) return compiled;
  return refuse(
    l10n.t(
      '{0} is not compiled yet: build the project first, with forge build or hardhat compile.',
      target.contract,
    ),
  );
}

/** @throws UserCancelledError after a message with advice, if the build output lacks the function */
function functionsOf(
  { contract, name }: FunctionTarget,
  { abi, creationCode }: CompiledContract,
): CalledFunction['abi'][] {
  const isCreation = name === 'constructor';
  const found = abi.filter(
    (one) => one.type === (isCreation ? name : 'function') && (isCreation || one.name === name),
  ) as CalledFunction['abi'][];
  if (found.length > 0 && (!isCreation || creationCode !== '')) return found;
  return refuse(
    l10n.t('The build output of {0} does not have {1}: build the project again.', contract, name),
  );
}

function refuse(message: string): never {
  void vscode.window.showWarningMessage(message);
  throw new UserCancelledError();
}

async function askOverload(
  title: string,
  functions: CalledFunction['abi'][],
): Promise<CalledFunction['abi']> {
  const [only, ...others] = functions;
  if (only !== undefined && others.length === 0) return only;
  const items = functions.map((value) => ({
    label: `${'name' in value ? value.name : value.type}(${value.inputs.map(({ type }) => type).join(', ')})`,
    value,
  }));
  return (await pick({ title, placeholder: l10n.t('Which one'), items: Promise.resolve(items) }))
    .value;
}
