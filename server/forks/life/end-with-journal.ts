import { ApiError } from '../../api/errors';
import { onAbort } from '../../kernel/async/on-abort';
import type { Engine } from '../../evm/forms/engine';
import type { Journal } from './ports';

/** Ends the engine before another node may append to the journal. */
export function endWith({ lost }: Journal, process: Engine): void {
  if (lost) onAbort(lost, () => void process.stop());
}

/** Waits for a change of the journal. If it fails, the engine is ended, because its state differs from the journal. @throws ApiError */
export async function orEnd<T>(process: Engine, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    await process.stop();
    if (error instanceof ApiError) throw error;
    throw new ApiError('internal', 'the change could not be made durable', { cause: error });
  }
}
