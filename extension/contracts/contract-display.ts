import * as l10n from '@vscode/l10n';
import { shortHex } from '../../server/client/format';
import type { ForkContract } from '../model/fork-contract';
import type { NodeDisplay } from '../model/node-display';
import type { ContractNode, ContractsNode, FunctionNode } from '../model/tree-node';
import { escapeMarkdown, tooltip } from '../ui/tooltip';

const ORIGINS: Record<ForkContract['origin'], string> = {
  deployed: l10n.t('deployed by you'),
  added: l10n.t('added by you'),
  recognised: l10n.t('recognised by its code in the build output'),
};

export function contractsDisplay({ parent, contracts }: ContractsNode): NodeDisplay {
  return {
    id: `contracts:${parent.fork.forkId}`,
    label: l10n.t('Contracts'),
    description: String(contracts.length),
    icon: { id: 'symbol-class' },
    tooltip: l10n.t('Contracts whose functions can be called here.'),
    collapsed: true,
    actions: ['use'],
    accessibilityLabel: l10n.t('Contracts of fork {0}', parent.fork.name),
  };
}

export function contractDisplay({ parent, contract }: ContractNode): NodeDisplay {
  const { name, address, origin } = contract;
  return {
    id: `contract:${parent.parent.fork.forkId}:${address}`,
    label: name,
    description: shortHex(address),
    icon: { id: 'file-code' },
    tooltip: tooltip(name, [ORIGINS[origin]], address),
    collapsed: true,
    actions: ['copyAddress', 'delete'],
    accessibilityLabel: l10n.t('Contract {0} at {1}', name, shortHex(address)),
  };
}

export function functionDisplay({ parent, function: called }: FunctionNode): NodeDisplay {
  const { signature, text, isView, hasInputs, answer } = called;
  const name = signature.slice(0, signature.indexOf('('));
  const what = isView
    ? l10n.t('changes nothing: a click calls it and shows the answer here')
    : l10n.t('a click asks for its arguments, and sends a transaction');
  const shown = answer === undefined ? undefined : inShort(answer.text);
  return {
    id: `function:${parent.parent.parent.fork.forkId}:${parent.contract.address}:${signature}`,
    label: isView && !hasInputs ? name : text,
    ...(shown === undefined ? {} : { description: shown }),
    icon:
      answer?.isFailure === true
        ? { id: 'warning', color: 'list.warningForeground' }
        : { id: isView ? (hasInputs ? 'symbol-method' : 'symbol-field') : 'play' },
    tooltip: [
      tooltip(text, [what], undefined),
      ...(answer === undefined ? [] : [escapeMarkdown(answer.text)]),
    ].join('\n\n'),
    actions: [],
    command: { id: 'forklens.useContractFunction', title: l10n.t('Use Function') },
    accessibilityLabel:
      shown === undefined ? l10n.t('Function {0}', text) : l10n.t('{0}: {1}', text, shown),
  };
}

/** Addresses and hashes in their short form. */
const inShort = (text: string): string =>
  text.replace(/0x[0-9a-fA-F]{12,}/g, (hex) => shortHex(hex));
