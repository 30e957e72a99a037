import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { grouped } from '../../../server/presentation/text';
import type { Parts } from '../protocol/protocol';

interface SumProps {
  name: string;
  gas: number | null;
  /** Sign of an amount that is added to or subtracted from the gas used. */
  sign?: '+' | '−';
  hint?: string;
}

/** Renders nothing if the gas is unknown. */
function Sum({ name, gas, sign, hint }: SumProps): VNode | null {
  if (gas === null) return null;
  return (
    <span class="fact" title={hint}>
      <span class="quiet">{name}</span>{' '}
      <span class="number">{`${sign && gas > 0 ? sign : ''}${grouped(String(gas))}`}</span>
    </span>
  );
}

/** The parts that add up to the gas of the receipt. */
export function GasSums({ profile }: { profile: Parts['gasProfile'] }): VNode {
  const { gasUsed, gasLimit, intrinsicGas, executionGas, refund, floorGas, calldataFloorGas } =
    profile;
  const isUnknown = [intrinsicGas, executionGas, refund, floorGas].includes(null);
  return (
    <div class="tab-tools gas-sums">
      <Sum
        name={l10n.t('Used')}
        gas={gasUsed}
        hint={l10n.t('Intrinsic and execution, less the refund, and what the floor adds')}
      />
      <Sum name={l10n.t('of limit')} gas={gasLimit} />
      <Sum
        name={l10n.t('Intrinsic')}
        gas={intrinsicGas}
        hint={l10n.t(
          'Paid before the first instruction: base, call data, creation, access list, authorizations',
        )}
      />
      <Sum
        name={l10n.t('Execution')}
        gas={executionGas}
        hint={l10n.t('What was executed, before refunds: the self gas of all frames')}
      />
      <Sum
        name={l10n.t('Refund')}
        gas={refund}
        sign="−"
        hint={l10n.t('Given back, such as for storage that was cleared')}
      />
      {floorGas !== 0 && (
        <Sum
          name={l10n.t('Added by the floor')}
          gas={floorGas}
          sign="+"
          hint={l10n.t('Up to the least that is paid for the call data (EIP-7623)')}
        />
      )}
      <Sum
        name={l10n.t('Call data floor')}
        gas={calldataFloorGas}
        hint={l10n.t('The least that is paid (EIP-7623)')}
      />
      {isUnknown && (
        <span class="quiet">{l10n.t('The other parts of the gas used are not known.')}</span>
      )}
    </div>
  );
}
