import type { BisectChange, Bisection } from '../api/bisect';
import type { Paint } from './paint';

/** A bisection for people. */
export function* bisectionLines(
  { expression, from, to, start, end, changes, omitted, mayMiss, reads }: Bisection,
  chain: string,
  colors: Paint,
): Generator<string> {
  yield expression;
  yield `  ${valueText(start)} after block ${from}, ${valueText(end)} after block ${to} of ${chain}`;
  for (const change of changes) {
    yield '';
    yield* changeLines(change, colors);
  }
  if (changes.length === 0) yield 'No change.';
  yield '';
  if (omitted !== undefined) yield colors.dim(`${omitted} further changes were not traced.`);
  yield colors.dim(`${reads} state reads. Not seen: ${mayMiss}.`);
}

function* changeLines(change: BisectChange, colors: Paint): Generator<string> {
  const { transaction, before, after, blockNumber, timestamp, difference } = change;
  const time = new Date(timestamp * 1_000).toISOString().replace('.000', '');
  yield colors.bold(`${valueText(before)} → ${valueText(after)}`);
  yield transaction === null
    ? `  by block ${blockNumber} itself, no transaction of it (${time})`
    : `  by ${transaction.hash}`;
  if (transaction === null) return;
  yield `  block ${blockNumber}, position ${transaction.position} (${time})`;
  yield `  from ${transaction.from} to ${transaction.to ?? 'a new contract'}`;
  for (const { address, part, slot, variables, before: was, after: is } of change.state) {
    const what = slot === undefined ? part : (variables?.join(', ') ?? `slot ${slot}`);
    yield `  ${address} ${what}: ${stateText(part, was)} → ${stateText(part, is)}`;
  }
  for (const write of change.writes) {
    const place = write.file === undefined ? `step ${write.step}` : `${write.file}:${write.line}`;
    const code = [write.contract, write.function].filter((text) => text !== '').join('.');
    yield `  written at ${place}${code === '' ? '' : ` in ${code}`}: ${valuesText(write.text)}`;
  }
  for (const { from, to, value, contract, file, line } of change.payments) {
    const place = file === undefined ? '' : ` at ${file}:${line}`;
    yield `  ${from} paid ${value} wei to ${to}${place}${contract === '' ? '' : ` in ${contract}`}`;
  }
  if (change.whyNoWrites !== undefined) {
    yield colors.yellow(`  The writes are not known: ${change.whyNoWrites}`);
  }
  if (difference !== undefined) {
    yield colors.yellow(`  The block was executed in another way than on the chain: ${difference}`);
  }
}

const valueText = ({ value, unavailable }: Bisection['start']): string =>
  unavailable === undefined ? value : `no value (${unavailable})`;

/** Of `slot 0x…: 0x… -> 0x…`, the values without leading zeros. */
const valuesText = (text: string): string =>
  text
    .replace(/^slot 0x[0-9a-f]{64}: /, '')
    .replace(/\b0x[0-9a-f]{64}\b/g, shortWord)
    .replace(' -> ', ' → ');

function stateText(part: BisectChange['state'][number]['part'], hex: string): string {
  if (part === 'balance') return `${BigInt(hex)} wei`;
  return part === 'nonce' ? String(BigInt(hex)) : shortWord(hex);
}

/** Without leading zeros; codes are shortened. */
function shortWord(hex: string): string {
  const short = hex.length === 66 ? `0x${BigInt(hex).toString(16)}` : hex;
  return short.length <= 66 ? short : `${short.slice(0, 20)}… (${(short.length - 2) / 2} bytes)`;
}
