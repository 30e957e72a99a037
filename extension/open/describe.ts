import * as l10n from '@vscode/l10n';
import { grouped, shortHex } from '../../server/client/format';
import type { Meaning } from './meaning';

/** How a meaning is offered. */
export interface Description {
  /** Starts with what happens. */
  label: string;
  description: string;
  /** A codicon. */
  icon: string;
}

/** What the user can paste. */
export const ACCEPTED: readonly string[] = [
  l10n.t('Hash of a transaction or block'),
  l10n.t('Address or its label, also after a chain (base:0x…)'),
  l10n.t('ENS name such as vitalik.eth'),
  l10n.t('Block number, tag or UTC time'),
  l10n.t('Selector, or a signature such as transfer(address,uint256)'),
  l10n.t('Call data, revert data or a signed transaction'),
  l10n.t("Link of a block explorer's page"),
  l10n.t('Text with hashes, addresses or data, such as a command or a log'),
];

const blockText = (block: string): string => {
  if (block.startsWith('0x')) return shortHex(block);
  return /^\d+$/.test(block) ? grouped(BigInt(block)) : block;
};

export function describe(meaning: Meaning): Description {
  const { label, detail, icon } = parts(meaning);
  const chain = 'chain' in meaning ? meaning.chain : undefined;
  return {
    label,
    icon,
    description: [detail, ...(chain === undefined ? [] : [l10n.t('on {0}', chain)])]
      .filter((part) => part !== '')
      .join(' · '),
  };
}

function parts(meaning: Meaning): { label: string; detail: string; icon: string } {
  switch (meaning.kind) {
    case 'transaction':
      return {
        label: l10n.t('Analyze transaction'),
        detail: shortHex(meaning.hash),
        icon: 'search',
      };
    case 'word':
      return {
        label: l10n.t('Analyze transaction, or show block or event'),
        detail: shortHex(meaning.word),
        icon: 'search',
      };
    case 'address':
      return { label: l10n.t('Show address'), detail: shortHex(meaning.address), icon: 'account' };
    case 'name':
      return { label: l10n.t('Show address of ENS name'), detail: meaning.name, icon: 'account' };
    case 'block':
      return { label: l10n.t('Show block'), detail: blockText(meaning.block), icon: 'package' };
    case 'selector':
      return {
        label: l10n.t('Find signatures of selector'),
        detail: meaning.selector,
        icon: 'symbol-method',
      };
    case 'topic':
      return {
        label: l10n.t('Find signatures of event'),
        detail: shortHex(meaning.topic),
        icon: 'symbol-event',
      };
    case 'signature':
      return {
        label: l10n.t('Encode a call, or copy the selector'),
        detail: meaning.signature.slice(0, 80),
        icon: 'symbol-method',
      };
    case 'data':
      return {
        label: l10n.t('Decode call data or revert data'),
        detail: bytesText(meaning.data),
        icon: 'symbol-parameter',
      };
    case 'rawTransaction':
      return {
        label: l10n.t('Open signed transaction'),
        detail: shortHex(meaning.hash),
        icon: 'mail',
      };
  }
}

const bytesText = (data: string): string =>
  `${data.slice(0, 10)}… · ${l10n.t('{0} bytes', grouped(data.length / 2 - 1))}`;
