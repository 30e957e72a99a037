import * as l10n from '@vscode/l10n';
import type { DecodeSource } from '../api/decoding';
import type { KnownCode } from '../api/source-locations';

/** Descriptions of the sources of a decoding, from the most to the least trustworthy. */
export const SOURCE_WORDS: Readonly<Record<DecodeSource, string>> = {
  get artifact() {
    return l10n.t('a contract of the workspace, known by its bytecode or by where it was deployed');
  },
  get sourcify() {
    return l10n.t('verified source on Sourcify');
  },
  get etherscan() {
    return l10n.t('verified source on a block explorer');
  },
  get user() {
    return l10n.t('an ABI that you gave for the address');
  },
  get workspace() {
    return l10n.t('a signature of the workspace');
  },
  get 'built-in'() {
    return l10n.t('a built-in standard or well-known contract');
  },
  get packages() {
    return l10n.t('the ABI of a well-known package');
  },
  get '4byte'() {
    return l10n.t('a guess by a signature database');
  },
};

/** Where the source of a contract is from. */
export const ORIGIN_WORDS: Readonly<Record<KnownCode['from'], string>> = {
  get workspace() {
    return l10n.t('of the workspace');
  },
  get sandbox() {
    return l10n.t('of the sandbox');
  },
  get sourcify() {
    return l10n.t('verified on Sourcify');
  },
  get etherscan() {
    return l10n.t('verified on Etherscan');
  },
  get blockscout() {
    return l10n.t('verified on Blockscout');
  },
};

export const DECODE_SOURCES = Object.keys(SOURCE_WORDS) as readonly DecodeSource[];
