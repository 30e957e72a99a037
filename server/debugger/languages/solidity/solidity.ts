import type { Language } from '../port/language';
import { chainExpression } from './chain/chain-expression';
import { slotValues } from './chain/slot-values';
import { parseExpression } from './expressions/parse';
import { namesRead } from './expressions/read-names';
import { abiText } from './values/abi-text';
import { howToGetTree } from './variables/call-arguments';
import { RecordedVariables } from './variables/recorded-variables';

export const SOLIDITY: Language = {
  name: 'Solidity',
  variables: (source) => new RecordedVariables(source),
  namesRead: (expression) => namesRead(parseExpression(expression)),
  argumentText: abiText,
  howToGetTree,
  chainExpression,
  slotValues,
};
