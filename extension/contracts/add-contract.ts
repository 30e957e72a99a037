import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortHex } from '../../server/client/format';
import { readArtifact } from '../build-output/compiled-contract';
import type { CommandContext } from '../model/command-context';
import { UserCancelledError } from '../model/errors';
import type { ForkContract } from '../model/fork-contract';
import type { ForkNode } from '../model/tree-node';
import { addressProblem } from '../ui/input-rules';
import { forkOf } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { enterText } from '../ui/quick-input';
import type { ContractBook } from './contract-book';
import { interfaceOf } from './find-interface';
import { interfaceIn } from './interface-in';

/**
 * Lists a contract of a fork by its address. Where its interface is not known, asks for a file that has it.
 * @throws UserCancelledError
 */
export async function addContract(
  { client }: Pick<CommandContext, 'client'>,
  book: Pick<ContractBook, 'put'>,
  node: ForkNode | undefined,
): Promise<void> {
  const title = l10n.t('Add Contract');
  const { fork } = await forkOf(client, node, title);
  const text = await enterText({
    title,
    value: '',
    placeholder: '0x…',
    validate: addressProblem,
    prompt: l10n.t('Address of a contract on "{0}"', fork.name),
  });
  const address = text.trim().toLowerCase();
  const { forkId } = fork;
  const [facts, known] = await withProgress(l10n.t('Reading the contract…'), (signal) =>
    Promise.all([
      client.call('getAddress', { params: { chain: forkId, address } }, { signal }),
      interfaceOf(client, forkId, address, signal),
    ]),
  );
  if (facts.kind === 'account') {
    void vscode.window.showWarningMessage(
      l10n.t('There is no contract at {0} on "{1}".', shortHex(address), fork.name),
    );
    throw new UserCancelledError();
  }
  const { name, abi } = known ?? (await askInterface(title, address));
  if (known === undefined) {
    // Analyses decode its calls by the same interface.
    const body = { abi: [...abi], contractName: name };
    await client.call('putAbi', { params: { chain: forkId, address }, body });
  }
  await book.put(forkId, {
    address,
    abi,
    origin: 'added',
    name: name || facts.name || shortHex(address),
  });
}

/** @throws UserCancelledError */
async function askInterface(
  title: string,
  address: string,
): Promise<Pick<ForkContract, 'name' | 'abi'>> {
  const choose = l10n.t('Choose File…');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('The interface of {0} is not known.', shortHex(address)),
    {
      modal: true,
      detail: l10n.t(
        'Choose its artifact, or a file with its ABI: JSON, an answer of Etherscan, or declarations.',
      ),
    },
    choose,
  );
  if (answer !== choose) throw new UserCancelledError();
  const [file] =
    (await vscode.window.showOpenDialog({ title, filters: { ABI: ['json', 'abi', 'txt'] } })) ?? [];
  if (file === undefined) throw new UserCancelledError();
  const found =
    (await readArtifact(file.fsPath)) ?? interfaceIn(await readFile(file.fsPath, 'utf8'));
  if (found !== undefined && found.abi.length > 0) return found;
  void vscode.window.showWarningMessage(
    l10n.t(
      'This file has no ABI: a JSON list of functions, an artifact, an answer of Etherscan, or declarations such as function f(uint256).',
    ),
  );
  throw new UserCancelledError();
}
