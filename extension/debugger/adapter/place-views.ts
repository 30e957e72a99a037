import { destinationOf } from './destination';
import { placeInRecording } from './place-in-recording';
import type { Handlers } from './requests';
import { callOf, shownFrame } from './stack-frames';
import { stepInTargets } from './step-in-targets';
import type { Ready } from './viewed';

/** Handles the requests for places: where the debugger is, and where it could go. */
export function placeViews(
  ready: Ready,
): Handlers<'stepInTargets' | 'forklens/place' | 'forklens/frameAt'> {
  // The requests of a recording end with its session.
  const { signal } = new AbortController();
  return {
    stepInTargets: async ({ frameId }) => {
      const { recorded, stop } = await ready();
      const { call } = await recorded.step(stop.step);
      // A caller goes on when the inner call has ended.
      if (callOf(frameId) !== call) return { targets: [] };
      return { targets: await stepInTargets(recorded, stop.step, signal) };
    },

    'forklens/place': async () => placeInRecording(await ready()),

    'forklens/frameAt': async (args) => {
      const { recorded, sources } = await ready();
      const { step } = await destinationOf(recorded, args, signal);
      return shownFrame(recorded, sources, await recorded.step(step));
    },
  };
}
