import { createBlockFromRPC } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { bytesToHex, type KZG } from '@ethereumjs/util';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import { StateMissing } from '../../support/state-trie';
import { ReferenceChain } from '../reference/chain';
import type { PlannedAccount } from '../reference/plan';
import type { ParentReader, RealBlock } from './real-block';

interface StateFile {
  accounts: Record<Address, { nonce: Hex; balance: Hex } | null>;
  code: Record<Address, Hex>;
  storage: Record<Address, Record<Hash, Hex>>;
}

type RpcJson = Parameters<typeof createBlockFromRPC>[0] & {
  withdrawals?: { address: Address; amount: Hex }[];
};

/**
 * Reads and executes blocks of mainnet with BPO2 of ethereumjs/ethereumjs-monorepo (`packages/vm/examples/data/block*.json`, each with what
 * its execution reads in `block*State.json`).
 * @throws Error if gas, root of the receipts or bloom differ from those of the header
 */
export async function provedOsakaBlocks(folder: string): Promise<RealBlock[]> {
  const names = readdirSync(folder).filter((name) => /^block\d+\.json$/.test(name));
  return Promise.all(names.sort().map((name) => provedBlock(join(folder, name))));
}

async function provedBlock(file: string): Promise<RealBlock> {
  const json = JSON.parse(readFileSync(file, 'utf8')) as RpcJson;
  const read = readFileSync(file.replace('.json', 'State.json'), 'utf8');
  const known = accountsOf(JSON.parse(read) as StateFile);
  const customCrypto = { kzg: {} as KZG };
  const common = createCustomCommon({ chainId: 1 }, Mainnet, {
    hardfork: Hardfork.Bpo2,
    customCrypto,
  });
  const block = createBlockFromRPC(json, [], { common });
  const { header } = block;
  const chain = await ReferenceChain.start({ hardfork: 'osaka', alloc: allocOf(known) });
  chain.know(header.number - 1n, bytesToHex(header.parentHash));
  const played = await chain.execute(
    block.transactions.map((transaction) => bytesToHex(transaction.serialize())),
    {
      number: header.number,
      timestamp: header.timestamp,
      parentHash: bytesToHex(header.parentHash),
      coinbase: header.coinbase.toString(),
      prevRandao: bytesToHex(header.mixHash),
      gasLimit: header.gasLimit,
      baseFee: header.baseFeePerGas,
      excessBlobGas: header.excessBlobGas,
      beaconRoot: bytesToHex(header.parentBeaconBlockRoot!),
      systemCalls: true,
    },
    (json.withdrawals ?? []).map(({ address, amount }) => ({
      address,
      wei: BigInt(amount) * 10n ** 9n,
    })),
  );
  const own = played.block.header;
  for (const name of ['receiptTrie', 'logsBloom'] as const) {
    if (bytesToHex(own[name]) !== bytesToHex(header[name])) throw new Error(`${name} differs`);
  }
  if (own.gasUsed !== header.gasUsed) throw new Error('the gas differs');
  const { number, parentHash, timestamp } = json as unknown as Record<string, Hex>;
  return {
    slug: `block-${BigInt(number!)}`,
    chainId: 1,
    hardfork: 'osaka',
    coinbase: header.coinbase.toString(),
    answered: { block, hash: bytesToHex(block.hash()) },
    // The data does not contain it: only its hash is known.
    parentHeader: {
      ...json,
      number: toQuantity(header.number - 1n),
      hash: parentHash,
      parentHash: toWord(0),
      timestamp: toQuantity(BigInt(timestamp!) - 12n),
      transactions: [],
      withdrawals: [],
    },
    transactions: played.transactions.map((one) => ({ ...one, signed: one.transaction })),
    state: played.state,
    parent: readerOf(known),
  };
}

interface KnownAccount {
  balance: bigint;
  nonce: number;
  code: Hex;
  slots: ReadonlyMap<Hash, Hash>;
}

/** Accounts by address, null for one that does not exist. Of some, the execution reads the code alone. */
function accountsOf({ accounts, code, storage }: StateFile): Map<Address, KnownAccount | null> {
  const known = new Map<Address, KnownAccount | null>();
  for (const address of new Set([...Object.keys(accounts), ...Object.keys(code)]) as Set<Address>) {
    const account = accounts[address];
    if (account === null) {
      known.set(address, null);
      continue;
    }
    const slots = Object.entries(storage[address] ?? {}).map(([slot, value]): [Hash, Hash] => [
      toWord(BigInt(slot)),
      toWord(numberOf(value)),
    ]);
    const { balance = '0x0', nonce = '0x0' } = account ?? {};
    known.set(address, {
      balance: BigInt(balance),
      nonce: Number(nonce),
      code: code[address] ?? '0x',
      slots: new Map(slots),
    });
  }
  return known;
}

function allocOf(
  known: ReadonlyMap<Address, KnownAccount | null>,
): Record<Address, PlannedAccount> {
  const alloc: Record<Address, PlannedAccount> = {};
  for (const [address, account] of known) {
    if (account === null) continue;
    const { balance, nonce, code, slots } = account;
    const storage = Object.fromEntries(slots);
    alloc[address] =
      code === '0x' ? { balance, nonce, storage } : { balance, nonce, storage, code };
  }
  return alloc;
}

/** Only what the execution reads is known. */
function readerOf(known: ReadonlyMap<Address, KnownAccount | null>): ParentReader {
  const account = (address: Address): KnownAccount | null => {
    const found = known.get(address);
    if (found === undefined) throw new StateMissing(address);
    return found;
  };
  return {
    balance: (address) => account(address)?.balance ?? 0n,
    nonce: (address) => account(address)?.nonce ?? 0,
    code: (address) => account(address)?.code ?? '0x',
    slot: (address, slot) => {
      const found = account(address);
      const value = found?.slots.get(slot);
      if (found && value === undefined) throw new StateMissing(address);
      return value ?? toWord(0);
    },
  };
}

const numberOf = (bytes: Hex): bigint => (bytes === '0x' ? 0n : BigInt(bytes));
