import { adversarialBlocks } from './adversarial.source';
import { Tally } from './verdict-counts';

describe('answers about the newest hardfork, compared with an independent execution', () => {
  adversarialBlocks(new Tally(), ['prague']);
});
