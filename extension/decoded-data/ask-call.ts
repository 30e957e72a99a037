import * as l10n from '@vscode/l10n';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import { addressSchema, type Address, type Hex } from '../../server/api/primitives';
import { argumentProblem, parseInteger } from '../../server/client/abi-argument';
import type { CommandContext } from '../model/command-context';
import { LastNetwork, networkItems } from '../transactions/network-picks';
import { askPick, askText } from '../ui/quick-input';
import { BACK, runSteps, type Step } from '../ui/steps';

/** A call with what is known of it; the rest is asked for. */
export interface CallDraft {
  title: string;
  chain?: string | undefined;
  to?: Address | undefined;
  from?: Address | undefined;
  /** Such as `0.1 ether`; undefined: it is asked for. */
  value?: string | undefined;
  data: Hex;
  /** As `simulate` takes it. */
  height?: string | undefined;
}

const LAST_SENDER = 'forklens.lastSender';
const LAST_RECEIVER = 'forklens.lastReceiver';

/** Asks for the chain, the sender and the other fields of a simulation of call data. @throws UserCancelledError */
export async function askCall(
  { client, memento }: Pick<CommandContext, 'client' | 'memento'>,
  draft: CallDraft,
): Promise<Simulation> {
  // Fails early: the user should see a sign-in or service error before typing.
  await client.call('getAccount', {});
  const last = new LastNetwork(memento);
  const { title } = draft;
  const entered: Record<'chain' | 'to' | 'from' | 'value', string> = {
    chain: draft.chain ?? last.get() ?? '',
    to: draft.to ?? memento.get<string>(LAST_RECEIVER, ''),
    from: draft.from ?? memento.get<string>(LAST_SENDER, ''),
    value: draft.value ?? '0',
  };
  const askField =
    (field: 'to' | 'from' | 'value', prompt: string, type: string): Step =>
    async (frame) => {
      const text = await askText({
        title,
        frame,
        prompt,
        value: entered[field],
        placeholder: type === 'address' ? '0x…' : '0.1 ether',
        validate: (value) => argumentProblem({ type }, value),
      });
      if (text === BACK) return BACK;
      entered[field] = text.trim();
      return undefined;
    };
  const askChain: Step = async (frame) => {
    const picked = await askPick({
      title,
      frame,
      placeholder: l10n.t('Fork or chain to simulate on'),
      items: networkItems(client),
      isActive: (chain) => chain === entered.chain,
    });
    if (picked === BACK) return BACK;
    entered.chain = picked.value;
    return undefined;
  };
  await runSteps([
    ...(draft.chain === undefined ? [askChain] : []),
    ...(draft.to === undefined
      ? [askField('to', l10n.t('Address of the contract to call'), 'address')]
      : []),
    ...(draft.from === undefined
      ? [askField('from', l10n.t('Sender: any address, no key is needed'), 'address')]
      : []),
    ...(draft.value === undefined
      ? [askField('value', l10n.t('Native value to send along, such as 0.1 ether'), 'uint256')]
      : []),
  ]);
  await last.set(entered.chain);
  await memento.update(LAST_SENDER, entered.from);
  await memento.update(LAST_RECEIVER, entered.to);
  return {
    chain: entered.chain,
    title,
    request: {
      from: addressSchema.parse(entered.from),
      to: addressSchema.parse(entered.to),
      data: draft.data,
      value: (parseInteger(entered.value) ?? 0n).toString(),
      ...(draft.height !== undefined && { height: draft.height }),
    },
  };
}
