import * as l10n from '@vscode/l10n';
import type { Fork } from '../api/fork';

/** Configuration text that connects a tool to a fork. */
export interface ConnectionSnippet {
  label: string;
  /** The place for the text. */
  detail: string;
  text: string;
}

type Address = Pick<Fork, 'name' | 'chain' | 'rpc' | 'rpcChainId'> & { nativeSymbol: string };

/** The address for the user's own browser and wallet, if the fork's service runs in a container or on another machine (`from`). */
export interface ForwardedAddress {
  rpc: string;
  from: string;
}

/** All snippets for a fork. Each contains its address, which is secret. */
export function connectionSnippets(
  fork: Address,
  forwarded?: ForwardedAddress,
): ConnectionSnippet[] {
  const { name, rpc, rpcChainId, nativeSymbol } = fork;
  const key = identifier(name);
  return [
    { label: l10n.t('RPC URL'), detail: 'HTTP', text: rpc },
    {
      label: l10n.t('WebSocket URL'),
      detail: l10n.t('for subscriptions'),
      text: rpc.replace(/^http/, 'ws'),
    },
    {
      label: 'foundry.toml',
      detail: `forge test --fork-url ${key}`,
      text: `[rpc_endpoints]\n${key} = ${JSON.stringify(rpc)}\n`,
    },
    {
      label: l10n.t('Hardhat network'),
      detail: l10n.t('networks of hardhat.config, npx hardhat --network {0}', key),
      text: [
        `${key}: {`,
        `  url: ${JSON.stringify(rpc)},`,
        `  chainId: ${rpcChainId},`,
        '},',
        '',
      ].join('\n'),
    },
    {
      label: l10n.t('MetaMask fields'),
      detail: l10n.t('Add a network manually'),
      text: [
        `Network name: ${name}`,
        `RPC URL: ${forwarded?.rpc ?? rpc}`,
        `Chain ID: ${rpcChainId}`,
        `Currency symbol: ${nativeSymbol}`,
        '',
      ].join('\n'),
    },
    {
      label: '.env',
      detail: l10n.t('ETH_RPC_URL, which cast and forge read'),
      text: `ETH_RPC_URL=${JSON.stringify(rpc)}\n`,
    },
    ...(forwarded === undefined
      ? []
      : [
          {
            label: l10n.t('RPC URL on your computer'),
            detail: l10n.t('forwarded from {0}, for a wallet in your browser', forwarded.from),
            text: forwarded.rpc,
          },
        ]),
  ];
}

/** A name that TOML and JavaScript accept without quotes: `before-exploit 2` becomes `before_exploit_2`. */
function identifier(name: string): string {
  const words = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return /^[A-Za-z]/.test(words) ? words : `fork_${words}`.replace(/_$/, '');
}
