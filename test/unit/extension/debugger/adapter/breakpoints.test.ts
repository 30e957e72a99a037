import assert from 'node:assert/strict';
import { Breakpoints } from '../../../../../extension/debugger/adapter/breakpoints';
import { dataIdOf } from '../../../../../extension/debugger/adapter/data-id';

const address = `0x${'C1'.repeat(20)}` as const;
const slot = `0x${'05'.padStart(64, '0')}`;

describe('data breakpoints', () => {
  // Without a condition, breakpoints on data read neither the recording nor the sources.
  const unread = undefined as never;
  const breakpoints = (): Breakpoints => new Breakpoints(unread, unread, unread);

  it('know their variable, also where it shares its slot with others', async () => {
    const all = breakpoints();
    const [whole, packed] = [
      { address, slot },
      { address, slot, offset: 1, length: 8 },
    ];
    all.places.nameSlot(dataIdOf(whole), 'debt', 'uint256');
    all.places.nameSlot(dataIdOf(packed), 'position.debt', 'uint64');

    const set = await all.setData({
      breakpoints: [whole, packed].map((place) => ({ dataId: dataIdOf(place).toLowerCase() })),
    });

    assert.deepEqual(
      set.map(({ id, verified }) => [
        verified,
        all.places.variableOf([id])?.name,
        all.places.variableOf([id])?.type,
      ]),
      [
        [true, 'debt', 'uint256'],
        [true, 'position.debt', 'uint64'],
      ],
    );
  });
});
