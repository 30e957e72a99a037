import { NATIVE_ASSET } from '../../api/native-asset';
import type { Scene } from '../summary/scene';
import type { Step } from '../call-frame';
import { accessConditions } from './access';
import type { Cause, Condition } from './condition';
import { answerInTrace, isUntouched, type Ask } from './question';
import { termCauses } from './terms';
import { transferConditions } from './tokens';

const OUT_OF_FUNDS = /insufficient balance for transfer|OutOfFunds/i;

/**
 * Conditions that are proved not to have held, of the innermost failed call that has any. What is not proved is left out.
 * @param chain the failed calls, innermost first
 */
export async function provedCauses(
  chain: readonly Step[],
  scene: Scene,
  ask: Ask,
): Promise<Cause[]> {
  for (const step of chain) {
    const reason = scene.decoder.revertMessage(step.frame);
    const conditions = [...transferConditions(step), ...accessConditions(step, reason)];
    const causes = [
      ...nativeCause(step),
      ...termCauses(step, reason, scene),
      ...(await failedConditions(conditions, scene, ask)),
    ];
    if (causes.length > 0) return causes;
  }
  return [];
}

async function failedConditions(
  conditions: readonly Condition[],
  scene: Scene,
  ask: Ask,
): Promise<Cause[]> {
  const causes = await Promise.all(
    conditions.map(async (condition) => {
      const { step, judge } = condition;
      const proved = await answerTo(condition, scene, ask);
      const cause = proved && judge(proved.answer);
      if (!cause) return [];
      const { proof, nodeId } = proved;
      return {
        ...cause,
        nodeId: step.id,
        proof,
        ...(nodeId === undefined ? {} : { proofNodeId: nodeId }),
      };
    }),
  );
  return causes.flat();
}

async function answerTo(
  { step, question, reported }: Condition,
  { steps }: Scene,
  ask: Ask,
): Promise<{ answer: bigint; proof: Cause['proof']; nodeId?: number } | undefined> {
  const read = answerInTrace(steps, question, step);
  if (read) return { ...read, proof: 'trace' };
  if (reported !== undefined) return { answer: reported, proof: 'error' };
  if (!isUntouched(steps, question.to, step)) return undefined;
  const [answer] = await ask([question]);
  return answer === undefined ? undefined : { answer, proof: 'read' };
}

/** The engine says that the caller had less than it sent. */
function nativeCause({ id, frame }: Step): Cause[] {
  if (frame.error === undefined || !OUT_OF_FUNDS.test(frame.error) || frame.to === null) return [];
  return [
    {
      kind: 'nativeBalance',
      nodeId: id,
      contract: frame.to,
      account: frame.from,
      needs: { asset: NATIVE_ASSET, standard: 'native', amount: frame.value },
      proof: 'error',
    },
  ];
}
