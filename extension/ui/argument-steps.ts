import * as l10n from '@vscode/l10n';
import type { AbiParameter } from 'viem';
import { acceptedBy, argumentProblem } from '../../server/client/abi-argument';
import { askText } from './quick-input';
import { BACK, type Step } from './steps';

/** Key of the sender that was entered last in this workspace. */
export const LAST_SENDER = 'forklens.lastSender';

export const ADDRESS = { type: 'address' } as const;
export const WEI = { type: 'uint256' } as const;

interface ValueInput {
  title: string;
  prompt: string;
  /** Its type decides what is accepted. */
  parameter: AbiParameter;
  placeholder: string;
  /** What was entered before. */
  value: () => string;
  store: (text: string) => void;
}

/** A step that asks for a value of an ABI type, as text. */
export const valueStep =
  ({ title, prompt, parameter, placeholder, value, store }: ValueInput): Step =>
  async (frame) => {
    const entered = await askText({
      title,
      frame,
      prompt,
      placeholder,
      value: value(),
      validate: (text) => argumentProblem(parameter, text),
    });
    if (entered === BACK) return BACK;
    store(entered);
    return undefined;
  };

/** Steps that ask for the arguments of a function or constructor. @param texts receives what was entered, in order */
export const argumentSteps = (
  title: string,
  inputs: readonly AbiParameter[],
  texts: string[],
): Step[] =>
  inputs.map((parameter, index) =>
    valueStep({
      title,
      parameter,
      prompt: `${nameOf(parameter.name, index)}: ${acceptedBy(parameter)}`,
      placeholder: parameter.type,
      value: () => texts[index] ?? '',
      store: (text) => {
        texts[index] = text;
      },
    }),
  );

const nameOf = (name: string | undefined, index: number): string =>
  name === undefined || name === '' ? l10n.t('Argument {0}', index + 1) : name;
