import { toDecimal, toWord } from '../../../server/evm/forms/quantity';
import type { Frame } from '../reference/frames';
import type { GethCase, RecordedFrame } from './cases';

type Fact = string | number | bigint;

/** Describes the first difference of the reference from go-ethereum's record; undefined if they are equal. */
export function referenceDifference({
  calls,
  changes,
  executed,
  withLog,
}: GethCase): string | undefined {
  if (calls) return firstOf(recordedLines(calls, false), frameLines(executed.root, !withLog));
  const { before, after } = executed;
  const lines: [string, string][] = [];
  for (const [side, world, recorded] of [
    ['before', before, changes?.pre ?? {}],
    ['after', after, changes?.post ?? {}],
  ] as const) {
    for (const [address, { balance, nonce, code, storage = {} }] of Object.entries(recorded)) {
      const account = world.get(address.toLowerCase() as `0x${string}`);
      const check = (what: string, want: Fact, got: Fact): void => {
        lines.push([
          `${side} ${address} ${what} ${String(want)}`,
          `${side} ${address} ${what} ${String(got)}`,
        ]);
      };
      if (balance !== undefined) check('balance', BigInt(balance), account?.balance ?? 0n);
      if (nonce !== undefined) check('nonce', Number(nonce), account?.nonce ?? 0);
      if (code !== undefined) check('code', code, account?.code ?? '0x');
      for (const [slot, value] of Object.entries(storage)) {
        const key = toWord(BigInt(slot));
        check(`slot ${slot}`, toWord(BigInt(value)), account?.storage.get(key) ?? toWord(0));
      }
    }
  }
  const gone = Object.keys(changes?.pre ?? {}).filter((one) => !(one in (changes?.post ?? {})));
  for (const address of gone) {
    const left = after.has(address.toLowerCase() as `0x${string}`) ? 'kept' : 'gone';
    // `pre` alone also contains accounts that only lost slots.
    if (changes?.pre[address as `0x${string}`]?.storage === undefined) {
      lines.push([`after ${address} gone`, `after ${address} ${left}`]);
    }
  }
  return firstOf(
    lines.map(([want]) => want),
    lines.map(([, got]) => got),
  );
}

function firstOf(want: readonly string[], got: readonly string[]): string | undefined {
  const at = Array.from({ length: Math.max(want.length, got.length) }, (_, i) => i).find(
    (i) => want[i] !== got[i],
  );
  return at === undefined ? undefined : `recorded ${want[at]}, the reference has ${got[at]}`;
}

function recordedLines(frame: RecordedFrame, isRolledBack: boolean): string[] {
  const rolledBack = isRolledBack || frame.error !== undefined;
  const logs = rolledBack ? [] : (frame.logs ?? []);
  return [
    [
      frame.type,
      frame.from,
      frame.error !== undefined && frame.type.startsWith('CREATE') ? '' : (frame.to ?? ''),
      toDecimal(BigInt(frame.value ?? 0)),
      BigInt(frame.gasUsed),
      frame.input,
      frame.output ?? '0x',
      frame.error === undefined ? 'ok' : 'failed',
      ...logs.map(({ address, topics, data = '0x' }) => `${address} ${topics.join()} ${data}`),
    ].join(' '),
    ...(frame.calls ?? []).flatMap((one) => recordedLines(one, rolledBack)),
  ];
}

/** @param withoutLogs set for frames that are rolled back, and for files without logs */
function frameLines(frame: Frame, withoutLogs: boolean): string[] {
  const isSilent = withoutLogs || frame.error !== undefined;
  const logs = isSilent ? [] : frame.logs;
  const hasValue = !['DELEGATECALL', 'STATICCALL'].includes(frame.type);
  return [
    [
      frame.type,
      frame.from,
      frame.to,
      toDecimal(hasValue ? frame.value : 0n),
      frame.gasUsed,
      frame.input,
      frame.output,
      frame.error === undefined ? 'ok' : 'failed',
      ...logs.map(({ address, topics, data }) => `${address} ${topics.join()} ${data}`),
    ].join(' '),
    ...frame.calls.flatMap((one) => frameLines(one, isSilent)),
  ];
}
