import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { concatHex, encodeAbiParameters, type Abi } from 'viem';
import type { Fork } from '../../server/api/fork';
import { shortHex } from '../../server/client/format';
import {
  compiledContract,
  linkedCode,
  readArtifact,
  type CompiledContract,
} from '../build-output/compiled-contract';
import { buildProject } from '../build-output/build-project';
import { findSource } from '../build-output/find-source';
import { staleReason } from '../build-output/stale-build';
import { buildOutputs } from '../build-output/workspace-artifacts';
import type { CommandContext } from '../model/command-context';
import { UserCancelledError } from '../model/errors';
import type { ContractTarget } from '../model/targets';
import type { ForkNode } from '../model/tree-node';
import { copyText } from '../ui/clipboard';
import { forkOf } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { askCall } from './ask-call';
import { chooseDeployable, pickOfWorkspace, type Deployable } from './choose-deployable';
import type { ContractBook } from './contract-book';
import { createdAddress } from './find-interface';
import { sendCall } from './send-call';

/**
 * Deploys a contract of the workspace on a fork, after questions about what its constructor needs, and lists it in the tree.
 * @throws UserCancelledError after a message, if it cannot be deployed
 */
export async function deployContract(
  context: Pick<CommandContext, 'client' | 'inspector' | 'memento'>,
  book: Pick<ContractBook, 'of' | 'put'>,
  given: ContractTarget | ForkNode | vscode.Uri | undefined,
): Promise<void> {
  const { client, inspector, memento } = context;
  const node = given !== undefined && 'kind' in given ? given : undefined;
  const deployable = await deployableOf(given);
  const compiled = await freshBuild(deployable);
  const { name, abi } = compiled;
  if (compiled.creationCode === '') {
    return refuse(l10n.t('{0} has no code: an interface or an abstract contract.', name));
  }
  const title = l10n.t('Deploy {0}', name);
  const { fork } = await forkOf(client, node, title);
  const declared = abi.find(({ type }) => type === 'constructor') as
    Extract<Abi[number], { type: 'constructor' }> | undefined;
  const inputs = declared?.inputs ?? [];
  const onFork = book.of(fork.forkId);
  const libraries = compiled.libraries.map((library) => ({
    name: library.name,
    address: onFork.findLast((one) => one.name === library.name)?.address ?? '',
  }));
  const asked = await askCall(
    {
      title,
      inputs,
      libraries,
      isSent: true,
      key: `${name}.constructor`,
      isPayable: declared?.stateMutability === 'payable',
    },
    fork,
    memento,
  );
  const data = concatHex([
    linkedCode(compiled, asked.libraries),
    encodeAbiParameters(inputs, asked.args),
  ]);
  const { from, value } = asked;
  const transaction = await sendCall(context, fork, abi as unknown as Abi, {
    title,
    from,
    data,
    value,
  });
  const address = await withProgress(l10n.t('Asking fork "{0}"…', fork.name), (signal) =>
    createdAddress(fork, transaction, signal),
  );
  if (address === undefined) {
    // It failed, or waits for a block: the inspector says which.
    await inspector.open({ chain: fork.forkId, transaction, title: name });
    return;
  }
  await book.put(fork.forkId, { name, address, abi, transaction, origin: 'deployed' });
  if (abi.length > 0) {
    // Analyses on the fork name the address by its contract.
    const body = { abi: [...abi], contractName: name };
    await client.call('putAbi', { params: { chain: fork.forkId, address }, body });
  }
  void offerNext({ name, address, fork, transaction }, inspector);
}

async function deployableOf(
  given: ContractTarget | ForkNode | vscode.Uri | undefined,
): Promise<Deployable> {
  if (given === undefined || 'scheme' in given) return chooseDeployable(given);
  if ('contract' in given) return given;
  const title = l10n.t('Deploy on "{0}"', given.fork.name);
  return pickOfWorkspace({ title, placeholder: l10n.t('Contract to deploy') });
}

/** The build of the contract. Offers to build where there is none, or where it is older than the source. */
async function freshBuild(deployable: Deployable): Promise<CompiledContract> {
  for (let attempt = 1; ; attempt++) {
    const compiled =
      'artifact' in deployable
        ? await readArtifact(deployable.artifact)
        : await compiledContract(deployable, await buildOutputs());
    const source = await sourceOf(deployable, compiled);
    const stale = compiled && source && (await staleReason(source, compiled));
    if (compiled !== undefined && stale === undefined) return compiled;
    const name = compiled?.name ?? ('contract' in deployable ? deployable.contract : '');
    if (source === undefined) {
      return refuse(l10n.t('This file is not an artifact of Foundry or Hardhat.'));
    }
    if (attempt > 1) {
      if (compiled !== undefined) return compiled;
      return refuse(
        l10n.t(
          '{0} is not in the build output of Foundry or Hardhat, although the build succeeded.',
          name,
        ),
      );
    }
    const [build, anyway] = [l10n.t('Build'), l10n.t('Deploy Anyway')];
    const answer =
      compiled === undefined
        ? await vscode.window.showWarningMessage(
            l10n.t('{0} is not compiled yet.', name),
            { modal: true },
            build,
          )
        : await vscode.window.showWarningMessage(
            l10n.t('Deploy this build of {0}?', name),
            { modal: true, detail: stale ?? '' },
            build,
            anyway,
          );
    if (answer === undefined) throw new UserCancelledError();
    if (answer === anyway && compiled !== undefined) return compiled;
    if (!(await buildProject(source))) {
      return refuse(l10n.t('The build failed: its terminal says why.'));
    }
  }
}

async function sourceOf(
  deployable: Deployable,
  compiled: CompiledContract | undefined,
): Promise<string | undefined> {
  if ('source' in deployable) return deployable.source;
  if (compiled?.sourceName === undefined) return undefined;
  return (await findSource(compiled.sourceName))?.fsPath ?? compiled.artifact;
}

interface Deployed {
  name: string;
  address: string;
  fork: Fork;
  transaction: string;
}

async function offerNext(
  { name, address, fork, transaction }: Deployed,
  inspector: CommandContext['inspector'],
): Promise<void> {
  const [analyze, copy] = [l10n.t('Analyze'), l10n.t('Copy Address')];
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('{0} is deployed on "{1}" at {2}.', name, fork.name, shortHex(address)),
    analyze,
    copy,
  );
  if (chosen === analyze) {
    await inspector.open({ chain: fork.forkId, transaction, title: name });
  } else if (chosen === copy) await copyText(address, shortHex(address));
}

/** Shows why the command ends here. */
function refuse(message: string): never {
  void vscode.window.showWarningMessage(message);
  throw new UserCancelledError();
}
