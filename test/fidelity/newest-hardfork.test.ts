import { adversarialBlocks } from './adversarial.source';
import { opStackBlock } from './op-stack.source';
import { Tally } from './verdict-counts';

describe('answers about the newest hardforks, compared with an independent execution', () => {
  describe('all cases', () => {
    adversarialBlocks(new Tally(), ['prague']);
  });

  describe('what Osaka and Amsterdam add', () => {
    const added = ['osaka', 'amsterdam'] as const;
    adversarialBlocks(new Tally(), added, ({ since }, hardfork) => since === hardfork);
  });

  describe('a block of the OP Stack', () => {
    opStackBlock(new Tally());
  });
});
