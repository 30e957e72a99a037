import assert from 'node:assert/strict';
import { edgeText } from '../../../media/inspector/fund-flow/edge-text';
import {
  assetStyles,
  FlowEdges,
  flowEdges,
  numberRanges,
  topEdges,
} from '../../../media/inspector/fund-flow/edges';
import { pathData, sceneOf, type Scene } from '../../../media/inspector/fund-flow/scene';
import { sceneSvg } from '../../../media/inspector/fund-flow/scene-svg';
import { namesOf } from '../../../server/presentation/segment';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { fit, pan, reveal, zoom } from '../../../media/inspector/fund-flow/viewport';
import type { FundTransfer } from '../../../server/api/views';
import { sandboxParts } from '../../ui-components/fixtures';

const called = assetNames(namesOf({}), 'ETH', 16);
const { fundFlow } = sandboxParts('flash-loan').fundFlow;
const PALETTE = {
  background: '#fff',
  text: '#000',
  quiet: '#555',
  line: '#999',
  font: 'a "b" <c>',
  assets: ['red', 'green'],
};

function sceneOfAll(
  transfers: readonly FundTransfer[],
  { name = 'x', isPortrait = false } = {},
): Scene {
  const edges = flowEdges(transfers, true);
  const styles = assetStyles(edges);
  return sceneOf(edges, {
    linesOf: (address) => [name, address.slice(0, 6)],
    textOf: (edge) => edgeText(edge, called),
    styleOf: ({ transfer }) => styles.get(transfer.asset) ?? 0,
    measure: (text) => text.length * 7,
    isPortrait,
  });
}

describe('media: fund flow', () => {
  it('keeps transfers in order, and merges parallel ones with their sums', () => {
    const again = { ...fundFlow[0]!, order: 6 };
    const all = [...fundFlow, again];
    assert.equal(flowEdges(all, false).length, 7);
    const merged = flowEdges(all, true);
    assert.equal(merged.length, 6);
    assert.deepEqual(merged[0]!.numbers, [1, 7]);
    assert.equal(merged[0]!.rawAmount, 4_000_000_000n);
    assert.equal(merged[0]!.usdCents, 400_000n);
    assert.equal(edgeText(merged[0]!, called), '1, 7 · 4,000 hUSD');
    const claimed = flowEdges([{ ...again, verified: undefined }], true);
    assert.equal(edgeText(claimed[0]!, called), '7 · 2,000 hUSD, not measured');
  });

  it('adds the transfers of later slices to the arrows', () => {
    const all = [...fundFlow, { ...fundFlow[0]!, order: 6 }];
    for (const merged of [true, false]) {
      const arriving = new FlowEdges(merged);
      assert.deepEqual(arriving.of(all.slice(0, 2)), flowEdges(all.slice(0, 2), merged));
      assert.deepEqual(arriving.of(all), flowEdges(all, merged));
      assert.deepEqual(arriving.of(all), flowEdges(all, merged));
    }
  });

  it('does not merge tokens with ids, and has no sum if a price is unknown', () => {
    const nft = { ...fundFlow[0]!, standard: 'erc721' as const, rawAmount: '1', amount: '1' };
    const edges = flowEdges(
      [
        { ...nft, tokenId: '1' },
        { ...nft, order: 1, tokenId: '2' },
      ],
      true,
    );
    assert.equal(edges.length, 2);
    const [edge] = flowEdges([fundFlow[0]!, { ...fundFlow[0]!, order: 1, value: '' }], true);
    assert.equal(edge!.usdCents, undefined);
  });

  it('marks raw amounts without decimals, and cuts long fractions', () => {
    const { asset, from, to, order, nodeId, frameId, rawAmount } = fundFlow[0]!;
    const unknown: FundTransfer = {
      asset,
      from,
      to,
      order,
      nodeId,
      frameId,
      rawAmount,
      standard: 'erc20',
      amount: '',
      value: '',
      symbol: 'hUSD',
    };
    const [raw] = flowEdges([unknown], false);
    assert.equal(edgeText(raw!, called), '1 · 2,000,000,000 raw hUSD, not measured');
    const ether = { ...unknown, standard: 'native' as const, symbol: 'ETH', rawAmount: '1' };
    const [wei] = flowEdges([ether], false);
    assert.equal(edgeText(wei!, called), '1 · 0.000000… ETH');
  });

  it('keeps the arrows with the greatest value, in order', () => {
    const edges = flowEdges(fundFlow, false);
    const top = topEdges(edges, 2);
    assert.equal(top.length, 2);
    assert.ok(top[0]!.numbers[0]! < top[1]!.numbers[0]!);
    const least = edges.reduce((a, b) => (a.usdCents! < b.usdCents! ? a : b));
    assert.equal(top.includes(least), false);
  });

  it('formats numbers as ranges', () => {
    assert.equal(numberRanges([1, 2, 3, 7]), '1–3, 7');
    assert.equal(numberRanges([4]), '4');
  });

  it('lays out transfers to oneself and burnt ether', () => {
    const self = { ...fundFlow[0]!, to: fundFlow[0]!.from };
    const burnt = { ...fundFlow[0]!, to: '' };
    const { nodes, edges, width } = sceneOfAll([self, burnt]);
    assert.equal(nodes.length, 2);
    assert.ok(width > 0);
    assert.ok(edges.every(({ points }) => points.length > 1));
  });

  it('runs from left to right, or from top to bottom in tall windows', () => {
    const extent = ({ nodes }: Scene, axis: 'x' | 'y'): number =>
      Math.max(...nodes.map((node) => node[axis])) - Math.min(...nodes.map((node) => node[axis]));
    const lying = sceneOfAll(fundFlow);
    const upright = sceneOfAll(fundFlow, { isPortrait: true });
    assert.ok(extent(lying, 'x') > extent(lying, 'y'));
    assert.ok(extent(upright, 'y') > extent(upright, 'x'));
    assert.ok(upright.width < lying.width);
  });

  it('escapes all text in a saved file', () => {
    const svg = sceneSvg(sceneOfAll(fundFlow, { name: '<script>"&\'' }), PALETTE);
    assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+"/);
    assert.equal(svg.includes('<script'), false);
    assert.match(svg, /&#60;script&#62;&#34;&#38;&#39;/);
    assert.match(svg, /1 · 2,000 hUSD/);
    assert.equal((svg.match(/<polygon/g) ?? []).length, 6);
  });

  it('draws lines through all their points', () => {
    const [a, b, c] = [
      { x: 0, y: 0 },
      { x: 10, y: 5 },
      { x: 20, y: 0 },
    ];
    assert.equal(pathData([a, c]), 'M0 0L20 0');
    assert.equal(pathData([a, b, c]), 'M0 0C1.7 0.8 6.7 5 10 5C13.3 5 18.3 0.8 20 0');
    assert.equal(pathData([a]), '');
  });
});

describe('media: viewport', () => {
  it('fits, zooms around a fixed point, and pans', () => {
    assert.deepEqual(fit({ width: 200, height: 100 }, { width: 100, height: 100 }), {
      scale: 0.5,
      x: 0,
      y: 25,
    });
    assert.deepEqual(fit({ width: 10, height: 10 }, { width: 116, height: 116 }), {
      scale: 1.6,
      x: 50,
      y: 50,
    });
    const view = zoom({ scale: 1, x: 0, y: 0 }, 2, { x: 50, y: 20 });
    assert.deepEqual(view, { scale: 2, x: -50, y: -20 });
    assert.equal(zoom(view, 100, { x: 0, y: 0 }).scale, 4);
    assert.deepEqual(pan(view, 5, -5), { scale: 2, x: -45, y: -25 });
  });

  it('moves a box into the window by the smallest distance', () => {
    const room = { width: 100, height: 100 };
    const box = { x: 10, y: 10, width: 20, height: 10 };
    const at = (x: number, y: number): number[] => {
      const moved = reveal({ scale: 2, x, y }, box, room);
      return [moved.x, moved.y];
    };
    assert.deepEqual(at(0, 0), [0, 0]);
    assert.deepEqual(at(-30, 70), [-12, 52]);
    assert.deepEqual(at(50, -90), [32, -12]);
    assert.deepEqual(reveal({ scale: 10, x: 0, y: 0 }, box, room), { scale: 10, x: -92, y: -92 });
  });
});
