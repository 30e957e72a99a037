import type { Fork } from '../api/fork';
import type { OtherBlock, OtherGain, OtherTransaction } from '../api/reorder';
import { inUnits } from '../api/whole-units';
import { assetText } from './asset-text';
import type { Paint } from './paint';

const VERDICTS: Readonly<Record<OtherTransaction['verdict'], string>> = {
  inserted: 'inserted',
  dropped: 'dropped',
  invalid: 'now invalid',
  nowFails: 'now fails',
  otherEffects: 'other effects',
  nowSucceeds: 'now succeeds',
  otherGas: 'other gas',
  same: 'same',
};

/** The other block for people. */
export function* otherBlockLines(
  other: OtherBlock,
  fork: Pick<Fork, 'forkId' | 'name'> | undefined,
  { chain, colors }: { chain: string; colors: Paint },
): Generator<string> {
  const { blockNumber, check, transactions, accounts, omitted, gasUsed, notes } = other;
  yield colors.bold(`Block ${blockNumber} of ${chain}, as it was and as it would have been`);
  yield `  ${checkText(check, colors)}`;
  yield '';
  for (const one of transactions) yield* transactionLines(one, colors);
  yield '';
  if (accounts.length === 0) yield 'No account gains or loses otherwise.';
  else yield 'What accounts gain or lose, fees included:';
  for (const gain of accounts) yield* gainLines(gain, '  ', colors);
  if (omitted !== undefined) yield colors.dim(`  and ${omitted} further accounts`);
  yield '';
  yield `Gas: ${gasUsed.before} → ${gasUsed.after} of ${gasUsed.limit}`;
  for (const note of notes) yield colors.dim(`Note: ${note}.`);
  if (fork) yield `Fork "${fork.name}" (${fork.forkId}) has the state after the other block.`;
}

function checkText({ receipts, state, difference }: OtherBlock['check'], colors: Paint): string {
  if (receipts === 'equal' && state === 'equal') {
    return colors.green('As it was, its receipts and the state after it equal those of the chain.');
  }
  if (difference === undefined) {
    return colors.yellow(
      'As it was, its receipts equal those of the chain; the state is unchecked.',
    );
  }
  return colors.red(
    `It was executed in another way than on the chain, and nothing here is proved: ${difference}`,
  );
}

function* transactionLines(one: OtherTransaction, colors: Paint): Generator<string> {
  const { hash, from, to, was, is, isSet, verdict, cause } = one;
  const place = `${was ?? '-'} → ${is ?? '-'}`.padEnd(9);
  const name = hash === '' ? `${from} to ${to ?? 'a new contract'}` : hash;
  // Who gains otherwise says more than the first event or slot that differs.
  const isSaid = cause === '' || (verdict === 'otherEffects' && one.gains.length > 0);
  const text = `${VERDICTS[verdict]}${isSaid ? '' : `: ${cause}`}`;
  yield `${place} ${name}${isSet ? ' (changed)' : ''} ${painted(verdict, text, colors)}`;
  for (const gain of one.gains) yield* gainLines(gain, '            ', colors);
}

function painted(verdict: OtherTransaction['verdict'], text: string, colors: Paint): string {
  if (verdict === 'same' || verdict === 'otherGas') return colors.dim(text);
  return verdict === 'nowFails' || verdict === 'invalid' ? colors.red(text) : colors.yellow(text);
}

function* gainLines(
  { address, amounts }: OtherGain,
  indent: string,
  colors: Paint,
): Generator<string> {
  for (const amount of amounts) {
    const { asset, before, after, decimals = 0 } = amount;
    const more = BigInt(after) - BigInt(before);
    const name = assetText({ address: asset, symbol: amount.symbol, tokenId: amount.tokenId });
    const text = `${signed(before, decimals)} → ${signed(after, decimals)}`;
    const difference = `(${signed(more.toString(), decimals)})`;
    const paint = more > 0n ? colors.green : colors.red;
    yield `${indent}${address} ${name}: ${text} ${paint(difference)}`;
  }
}

/** With its sign, except for 0. */
function signed(raw: string, decimals: number): string {
  const isLoss = raw.startsWith('-');
  const amount = inUnits(isLoss ? raw.slice(1) : raw, decimals);
  return isLoss ? `-${amount}` : amount === '0' ? amount : `+${amount}`;
}
