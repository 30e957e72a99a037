import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { ForkRead, RunningFork } from '../reads/running-fork';
import { findBalanceWord, type BalanceView } from './balance-slot';
import { addressOf, amountOf, each } from './method-parameters';
import { RPC_CODES } from '../../api/rpc-codes';

/** ERC-20: `balanceOf(address)` */
const erc20 = (contract: string): BalanceView => ({
  contract,
  dataFor: (account) => `0x70a08231${account}`,
});

/** ERC-1155: `balanceOf(address,uint256)` */
const erc1155 = (contract: string, id: bigint): BalanceView => ({
  contract,
  dataFor: (account) => `0x00fdd58e${account}${toWord(id).slice(2)}`,
});

/** Methods that give tokens to accounts, by canonical name. All of them return `null`, as in anvil. */
export const FAUCET: ReadonlyMap<string, ForkRead> = new Map(
  Object.entries<ForkRead>({
    /** `[account, token, amount]`, as in anvil */
    anvil_dealERC20: (fork, [account, token, amount]) =>
      setBalances(fork, token, account, amountOf('amount', amount)),
    /** `[token, account or accounts, amount]`, as in Tenderly */
    tenderly_setErc20Balance: (fork, [token, accounts, amount]) =>
      setBalances(fork, token, accounts, amountOf('amount', amount)),
    tenderly_addErc20Balance: (fork, [token, accounts, amount]) =>
      addBalances(fork, token, accounts, amountOf('amount', amount)),
    /** `[token, account or accounts]` */
    tenderly_setMaxErc20Balance: (fork, [token, accounts]) =>
      setBalances(fork, token, accounts, 'max'),
    /** `[token, account, token id]` */
    forklens_dealERC721: (fork, [token, account, id]) =>
      moveToken(fork, addressOf('token', token), addressOf('account', account), amountOf('id', id)),
    /** `[token, account, token id, amount]` */
    forklens_dealERC1155: (fork, [token, account, id, amount]) =>
      setBalance(
        fork,
        erc1155(addressOf('token', token), amountOf('id', id)),
        addressOf('account', account),
        amountOf('amount', amount),
      ),
  }),
);

async function setBalances(
  fork: RunningFork,
  token: unknown,
  accounts: unknown,
  amount: bigint | 'max',
): Promise<null> {
  const view = erc20(addressOf('token', token));
  for (const account of each(accounts)) {
    await setBalance(fork, view, addressOf('account', account), amount);
  }
  return null;
}

async function addBalances(
  fork: RunningFork,
  token: unknown,
  accounts: unknown,
  amount: bigint,
): Promise<null> {
  const view = erc20(addressOf('token', token));
  for (const one of each(accounts)) {
    const account = addressOf('account', one);
    const data = view.dataFor(account.slice(2).padStart(64, '0'));
    const ask = { to: view.contract, data };
    const balance = await fork.engine.request('eth_call', [ask, 'latest']).catch(noAnswer);
    await setBalance(fork, view, account, amount + (isWord(balance) ? BigInt(balance) : 0n));
  }
  return null;
}

/** The total supply is not changed, as in other tools that deal tokens. */
async function setBalance(
  { writer, engine }: RunningFork,
  view: BalanceView,
  account: string,
  amount: bigint | 'max',
): Promise<null> {
  const { address, slot, word } = await findBalanceWord(engine, view, account, amount);
  await writer.change({ method: 'anvil_setStorageAt', params: [address, slot, word] });
  return null;
}

/** More than a transfer costs. */
const GAS_MONEY = 10n ** 18n;

/** Gives the token by a transfer from its owner, so that counts and enumerations of the contract stay correct. */
async function moveToken(
  { writer, engine }: RunningFork,
  token: string,
  account: string,
  id: bigint,
): Promise<null> {
  const word = toWord(id).slice(2);
  const ask = { to: token, data: `0x6352211e${word}` }; // ownerOf(uint256)
  const answer = await engine.request('eth_call', [ask, 'latest']).catch(noAnswer);
  const owner = `0x${(answer as string).slice(26)}`;
  if ((answer as string).length !== 66 || BigInt(owner) === 0n) throw noToken(token, id);
  if (owner === account) return null;
  const words = [owner, account].map((address) => address.slice(2).padStart(64, '0')).join('');
  const data = `0x23b872dd${words}${word}`; // transferFrom(address,address,uint256)
  const call = { from: owner, to: token, data };
  try {
    await engine.request('eth_call', [call, 'latest']);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const reason = `its owner ${owner} cannot transfer token ${id} of ${token}: ${error.message}`;
    throw new RpcError(RPC_CODES.unavailable, reason, error.data);
  }
  const balance = BigInt((await engine.request('eth_getBalance', [owner, 'latest'])) as string);
  const setOwners = (wei: bigint): Promise<unknown> =>
    writer.change({ method: 'anvil_setBalance', params: [owner, toQuantity(wei)] });
  await setOwners(balance + GAS_MONEY);
  try {
    await writer.send([{ method: 'eth_sendTransaction', params: [call] }]);
  } finally {
    await setOwners(balance);
  }
  return null;
}

const noToken = (token: string, id: bigint): RpcError =>
  new RpcError(RPC_CODES.unavailable, `${token} has no token ${id}, or does not return its owner`);

const isWord = (answer: unknown): answer is string =>
  typeof answer === 'string' && answer.length === 66;

/** Converts the failure of a contract to empty data. */
function noAnswer(error: unknown): unknown {
  if (error instanceof RpcError) return '0x';
  throw error;
}
