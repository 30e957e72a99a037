import '../editor/translations';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AddressSource } from '../../server/api/contract-source';
import type { RecordedContract, Recording } from '../../server/api/recording';
import { shortHex } from '../../server/client/format';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { compiledCode, type CompiledCode } from '../build-output/compiled-code';
import { enumMembers, type EnumMembers } from '../build-output/enum-members';
import { findSource, textOf } from '../build-output/find-source';
import { pickContract } from '../build-output/pick-contract';
import { staleReason } from '../build-output/stale-build';
import { buildOutputs } from '../build-output/workspace-artifacts';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import type { Debugging } from '../model/debugging';
import { UserCancelledError } from '../model/errors';
import { sentence } from '../model/sentence';
import type { ContractTarget } from '../model/targets';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';
import { layoutChanges } from './layout-changes';
import { placedCode } from './placed-code';
import { openSubjects, recordingOf, requestOf, subjectName, type Subject } from './subjects';

/**
 * Executes a transaction again on the same state, with the workspace's build of a contract in place of its code, and shows both side by
 * side. @throws UserCancelledError after a message
 */
export async function runAgain(
  { client, inspector }: Pick<CommandContext, 'client' | 'inspector'>,
  debugging: Debugging,
  given: ContractTarget | vscode.Uri | undefined,
): Promise<void> {
  const target = given === undefined || 'scheme' in given ? await askContract(given) : given;
  const subjects = openSubjects(debugging, inspector);
  const { contract, source } = target;
  const compiled = await compiledCode(target, await buildOutputs());
  if (compiled === undefined) {
    return refuse(
      l10n.t(
        '{0} is not compiled yet: build the project first, with forge build or hardhat compile.',
        contract,
      ),
    );
  }
  const { subject, recording, replaced } = await chooseReplaced(client, target, subjects);
  const { contracts } = recording;
  const { chain } = subject;
  const request = requestOf(subject, recording);
  const block = request.height === undefined ? {} : { block: String(request.height) };
  const title = l10n.t('Reading the code of {0}…', contract);
  const codes = await withProgress(title, (signal) =>
    Promise.all(
      replaced.map(({ address }) =>
        client.call('getAddressSource', { params: { chain, address }, query: block }, { signal }),
      ),
    ),
  );
  const overrides = codes.map((old): [string, string] => {
    const immutables = old.source?.immutables ?? [];
    const placed = placedCode(compiled, { address: old.address, immutables, contracts });
    if ('code' in placed) return [old.address, placed.code];
    return refuse(sentence(l10n.t('{0} cannot run here: {1}', contract, placed.problem)));
  });
  const stale = await staleReason(source, compiled);
  await confirm(contract, [
    ...(stale === undefined ? [] : [stale]),
    ...(await layoutWarnings(compiled, codes, source)),
  ]);
  const simulation = {
    chain,
    request: withCodes(request, overrides),
    title: l10n.t('{0} with {1} of the workspace', subjectName(subject), contract),
  };
  const sides = { left: subject, right: simulation };
  await vscode.commands.executeCommand('forklens.compareAnalyses', sides);
  void offerDebugging(contract, simulation);
}

const askContract = (uri: vscode.Uri | undefined): Promise<ContractTarget> =>
  pickContract(
    {
      title: l10n.t('Run Again With This Code'),
      placeholder: l10n.t('Contract whose code is to run'),
    },
    uri,
  );

/** The subject that executes the contract, and the accounts that have its code. Asks where there are several. */
async function chooseReplaced(
  client: ApiClient,
  { contract, source }: ContractTarget,
  subjects: readonly Subject[],
): Promise<{
  subject: Subject;
  recording: Recording;
  replaced: readonly RecordedContract[];
}> {
  const title = l10n.t('Run Again With This Code');
  const found = await withProgress(l10n.t('Looking for {0}…', contract), (signal, onProgress) =>
    Promise.all(
      subjects.map(async (subject) => {
        const recording = await recordingOf(client, subject, { signal, onProgress });
        const own = recording.contracts.filter(
          ({ name, files }) =>
            name === contract &&
            files.some((file) => path.posix.basename(file) === path.basename(source)),
        );
        return { subject, recording, own };
      }),
    ),
  );
  const fitting = found.filter(({ own }) => own.length > 0);
  const [first, ...others] = fitting;
  if (first === undefined) {
    return refuse(
      l10n.t(
        'No transaction that is debugged or shown executes {0}. Open one that does, then run it again.',
        contract,
      ),
    );
  }
  const items = fitting.map((value) => ({
    label: subjectName(value.subject),
    description: value.subject.chain,
    value,
  }));
  const placeholder = l10n.t('Transaction to run again with {0}', contract);
  const { subject, own, recording } =
    others.length === 0
      ? first
      : (await pick({ title, placeholder, items: Promise.resolve(items) })).value;
  const created = own.find(({ isCreation }) => isCreation);
  if (created !== undefined) {
    return refuse(
      l10n.t(
        '{0} creates {1} itself: new code cannot be in its place.',
        subjectName(subject),
        contract,
      ),
    );
  }
  if (own.length === 1) return { subject, recording, replaced: own };
  const places = [
    { label: l10n.t('All {0}', own.length), value: own },
    ...own.map((one) => ({ label: shortHex(one.address), value: [one] })),
  ];
  const { value: replaced } = await pick({
    title,
    placeholder: l10n.t('Several accounts have the code of {0}', contract),
    items: Promise.resolve(places),
  });
  return { subject, recording, replaced };
}

/** @param file path of the contract's source in the workspace */
async function layoutWarnings(
  { layout }: CompiledCode,
  codes: readonly AddressSource[],
  file: string,
): Promise<string[]> {
  if (codes.every(({ source }) => source?.storageLayout?.storage.length === 0)) return [];
  if (layout === undefined) {
    return [
      l10n.t(
        'The build output has no storage layout, so that it was not compared: with Foundry, set extra_output = ["storageLayout"].',
      ),
    ];
  }
  const compiled = codes.flatMap(({ source }) => source?.files ?? []);
  const after = await workspaceEnums(file, compiled);
  const warnings = codes.flatMap(({ address, source }) => {
    const old = source?.storageLayout;
    if (old === undefined) {
      return [l10n.t('The storage layout of {0} is not known: it was not compared.', address)];
    }
    const before = enumMembers((source?.files ?? []).flatMap(({ content }) => content ?? []));
    const { changes, unknownEnums } = layoutChanges(old, layout, { before, after });
    return [
      ...(changes.length === 0
        ? []
        : [l10n.t('The storage layout changed: {0}.', changes.join('; '))]),
      ...unknownEnums.map((name) =>
        l10n.t('The members of {0} are not known: they were not compared.', name),
      ),
    ];
  });
  return [...new Set(warnings)];
}

/** Of the contract's source, and of the workspace's files in place of the compiled ones. */
async function workspaceEnums(
  source: string,
  files: readonly { name: string; content?: string | undefined }[],
): Promise<EnumMembers> {
  const declaring = files.filter(
    ({ content }) => content === undefined || /\benum\b/.test(content),
  );
  const found = await Promise.all(
    [...new Set(declaring.map(({ name }) => name))].map((name) => findSource(name)),
  );
  const paths = new Set([source, ...found.flatMap((uri) => uri?.fsPath ?? [])]);
  const texts = await Promise.all([...paths].map((file) => textOf(vscode.Uri.file(file))));
  return enumMembers(texts.flatMap((text) => text ?? []));
}

async function confirm(contract: string, warnings: readonly string[]): Promise<void> {
  if (warnings.length === 0) return;
  const go = l10n.t('Run Anyway');
  const options = { modal: true, detail: warnings.join('\n\n') };
  const message = l10n.t('Run with this build of {0}?', contract);
  const answer = await vscode.window.showWarningMessage(message, options, go);
  if (answer !== go) throw new UserCancelledError();
}

function withCodes(
  request: Simulation['request'],
  codes: readonly (readonly [address: string, code: string])[],
): Simulation['request'] {
  const stateOverrides: Record<string, object> = { ...request.stateOverrides };
  for (const [address, code] of codes) {
    stateOverrides[address] = { ...stateOverrides[address], code };
  }
  return { ...request, stateOverrides };
}

async function offerDebugging(contract: string, simulation: Simulation): Promise<void> {
  const debug = l10n.t('Debug');
  const message = l10n.t('{0} of the workspace runs in place of the deployed code.', contract);
  const answer = await vscode.window.showInformationMessage(message, debug);
  if (answer === debug)
    await vscode.commands.executeCommand('forklens.debugTransaction', simulation);
}

/** Shows why the command ends here. */
function refuse(message: string): never {
  void vscode.window.showWarningMessage(message);
  throw new UserCancelledError();
}
