import { HARDFORKS } from '../../api/config';
import { bytes, choice, filledText, whole } from './kinds';
import { optional } from './parameter';

/** Options of a call, besides its receiver and arguments. */
export const CALL_OPTIONS = {
  value: optional(filledText, 'amount', 'wei, or with a unit: 1.5ether, 20gwei'),
  data: optional(bytes, 'hex', 'call data, in place of signature and arguments'),
  gas: optional(whole(21_000, 1_000_000_000), 'number', 'gas limit'),
} as const;

/** The hardfork whose rules execute a fork or a simulation. */
export const RULES_OPTION = {
  rules: optional(
    choice(...HARDFORKS),
    'hardfork',
    'execute by its rules, where those of the block are not known or not executed (such as osaka)',
  ),
} as const;
